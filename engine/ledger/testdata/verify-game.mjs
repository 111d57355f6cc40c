// A second verifier of whole games, written from SPEC.md and the dice's. It needs Node 20 and no
// package. It judges everything but the rules, which it cannot run.
//
//   node verify-game.mjs GAME...              says of each exported game whether it is good, and in what order it is
//   node verify-game.mjs --said JSON GAME     holds what `nomic verify --json GAME` says against it, every roll included
//   node verify-game.mjs --vectors FILE SIGNATURES     judges the vectors
//
// The exit status is 1 if anything is wrong.
import { createDecipheriv, createHash, createHmac, createPrivateKey, createPublicKey, diffieHellman, hkdfSync, scryptSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import {
  Wrong, need, same, digest, decode, isUint, isInt, isBytes, isArray, isText, ids, little, validKey, signedBy,
  openSigned, line, checkEnrolment, before, roller, u64, tally
} from '../../dice/testdata/verify.mjs'

const ZERO = Buffer.alloc(32)
const hex = (b) => b.toString('hex')

// A check that failed: its clause, and its code.
class Refused extends Error {
  constructor (clause, code, text) { super(text ?? code); this.clause = clause; this.code = code }
}
const check = (clause, code, ok) => { if (!ok) throw new Refused(clause, code) }
// Whatever fails inside is that check.
function within (clause, code, f) {
  try { return f() } catch (e) {
    if (e instanceof Wrong || e instanceof TypeError) throw new Refused(clause, code, e.message)
    throw e
  }
}
const tried = (f) => { try { return { value: f() } } catch (e) { if (e instanceof Refused) return { refused: e }; throw e } }

// 1.5, each key once.
const keys = new Map()
function isKey (key) {
  const k = hex(key)
  if (!keys.has(k)) keys.set(k, validKey(key))
  return keys.get(k)
}

// Section 2
class Room {
  constructor (secret) {
    const derive = (label) => Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), label, 32))
    const seed = derive('peernomic/room/sign/v1')
    const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
    this.id = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })).export({ format: 'der', type: 'spki' }).subarray(-32)
    this.key = derive('peernomic/room/envelope/v1')
    this.signalKey = derive('peernomic/room/signal/v1')
    this.nonceKey = derive('peernomic/room/nonce/v1')
  }
}

// 2.1, 2.4, 2.5, 2.7: what people and devices read.
const readings = {
  invite (text) {
    const halves = text.toString('latin1').split('.').map((h) => Buffer.from(h, 'base64url'))
    need(halves.length === 2 && halves.every((h) => h.length === 32) && !same(halves[1], ZERO), 'not an invite')
    need(same(Buffer.from(halves.map((h) => h.toString('base64url')).join('.'), 'latin1'), text), 'not canonical')
    return Buffer.concat(halves)
  },
  // 13.5: HPKE in base mode (RFC 9180)
  invitation (sealed, b) {
    need(sealed.length >= 48, 'too short')
    const [own, earlier, game] = [b.subarray(0, 32), b.subarray(32, 64), b.subarray(64)]
    const prefix = Buffer.from('302e020100300506032b656e04220420', 'hex')
    const key = createPrivateKey({ key: Buffer.concat([prefix, own]), format: 'der', type: 'pkcs8' })
    const mine = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
    const enc = sealed.subarray(0, 32)
    const theirs = createPublicKey({ key: Buffer.concat([Buffer.from('302a300506032b656e032100', 'hex'), enc]), format: 'der', type: 'spki' })
    let shared
    try { shared = diffieHellman({ privateKey: key, publicKey: theirs }) } catch { need(false, 'no key') }
    const hmac = (k, ...data) => data.reduce((h, d) => h.update(d), createHmac('sha256', k)).digest()
    const be = (n) => Buffer.of(n >> 8, n & 255)
    const suite = (id) => ({
      extract: (salt, label, ikm) => hmac(salt, 'HPKE-v1', id, label, ikm),
      expand: (k, label, info, n) => hmac(k, be(n), 'HPKE-v1', id, label, info, Buffer.of(1)).subarray(0, n)
    })
    const kem = suite(Buffer.from('KEM\x00\x20'))
    const all = suite(Buffer.from('HPKE\x00\x20\x00\x01\x00\x03'))
    const none = Buffer.alloc(0)
    const secret = kem.expand(kem.extract(none, 'eae_prk', shared), 'shared_secret', Buffer.concat([enc, mine]), 32)
    const info = Buffer.concat([Buffer.from('peernomic/move/v1\0'), earlier, game])
    const context = Buffer.concat([Buffer.of(0), all.extract(none, 'psk_id_hash', none), all.extract(none, 'info_hash', info)])
    const root = all.extract(secret, 'secret', none)
    return open(all.expand(root, 'key', context, 32), all.expand(root, 'base_nonce', context, 12), sealed.subarray(32), none)
  },
  words (text) {
    const list = readFileSync(new URL('../words.txt', import.meta.url), 'utf8').trim().split(/\s+/)
    const bits = text.toString().trim().split(/\s+/).map((w) => {
      const i = list.findIndex((x) => x === w || x.slice(0, 4) === w)
      need(i >= 0, 'no such word')
      return i.toString(2).padStart(11, '0')
    }).join('')
    need(bits.length === 264, 'not 24 words')
    const all = Buffer.from(bits.match(/.{8}/g).map((b) => parseInt(b, 2)))
    need(createHash('sha256').update(all.subarray(0, 32)).digest()[0] === all[32], 'checksum')
    return all.subarray(0, 32)
  },
  backup (file, pass) {
    const [first, text, rest] = file.toString('latin1').split('\n')
    const enc = Buffer.from(text ?? '', 'base64')
    need(first === 'peernomic identity backup v1' && rest === '' && enc.toString('base64').replace(/=+$/, '') === text, 'not a backup')
    const b = decode(enc)
    need(isArray(b, 4) && isUint(b[0]) && b[0] >= 10n && b[0] <= 18n && isBytes(b[1], 16) && isBytes(b[2], 24) && isBytes(b[3]), 'not a backup')
    const key = scryptSync(pass, b[1], 32, { N: 2 ** Number(b[0]), r: 8, p: 1, maxmem: 1 << 30 })
    return xopen(key, b[2], b[3], Buffer.from('peernomic/backup/v1'))
  },
  signal (b, secret) {
    need(b.length >= 40 && b.length <= 16384, 'size')
    const room = new Room(secret)
    return xopen(room.signalKey, b.subarray(0, 24), b.subarray(24), Buffer.concat([Buffer.from('peernomic/signal/v1\0'), room.id]))
  }
}

// XChaCha20-Poly1305
function xopen (key, nonce, sealed, aad) {
  return open(hchacha20(key, nonce), Buffer.concat([Buffer.alloc(4), nonce.subarray(16)]), sealed, aad)
}

function open (key, nonce, sealed, aad) {
  const box = createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: 16 })
  box.setAAD(aad, { plaintextLength: sealed.length - 16 })
  box.setAuthTag(sealed.subarray(-16))
  try { return Buffer.concat([box.update(sealed.subarray(0, -16)), box.final()]) } catch { return need(false, 'does not open') }
}

// 3.11: the subkey of XChaCha20.
function hchacha20 (key, nonce) {
  const s = new Uint32Array(16)
  s.set([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574])
  for (let i = 0; i < 8; i++) s[4 + i] = key.readUInt32LE(4 * i)
  for (let i = 0; i < 4; i++) s[12 + i] = nonce.readUInt32LE(4 * i)
  const turn = (x, n) => (x << n) | (x >>> (32 - n))
  const quarter = (a, b, c, d) => {
    s[a] += s[b]; s[d] = turn(s[d] ^ s[a], 16); s[c] += s[d]; s[b] = turn(s[b] ^ s[c], 12)
    s[a] += s[b]; s[d] = turn(s[d] ^ s[a], 8); s[c] += s[d]; s[b] = turn(s[b] ^ s[c], 7)
  }
  for (let i = 0; i < 10; i++) {
    quarter(0, 4, 8, 12); quarter(1, 5, 9, 13); quarter(2, 6, 10, 14); quarter(3, 7, 11, 15)
    quarter(0, 5, 10, 15); quarter(1, 6, 11, 12); quarter(2, 7, 8, 13); quarter(3, 4, 9, 14)
  }
  const out = Buffer.alloc(32)
  for (let i = 0; i < 4; i++) { out.writeUInt32LE(s[i], 4 * i); out.writeUInt32LE(s[12 + i], 16 + 4 * i) }
  return out
}

// Section 3
function openEnvelope (room, e) {
  check('3.1', 'envelope-size', e.length >= 77 && e.length <= 65536)
  check('3.2', 'envelope-version', e[0] === 1)
  check('3.3', 'room', same(e.subarray(1, 33), room.id))
  check('3.4', 'epoch', e.readUInt32BE(33) === 0)
  const nonce = e.subarray(37, 61)
  const plain = within('3.5', 'decrypt', () => xopen(room.key, nonce, e.subarray(61), e.subarray(0, 61)))
  check('3.6', 'padding', plain.length >= 37 && same(plain.subarray(0, 32), ZERO))
  const n = plain.readUInt32BE(33)
  check('3.6', 'padding', n <= plain.length - 37 && plain.subarray(37 + n).every((b) => b === 0))
  let size = 256
  while (size < 77 + 37 + n) size *= 2
  check('3.6', 'padding', size === e.length)
  const content = plain[32]
  check('3.7', 'content', content === 1 || content === 2)
  check('3.8', 'part', content !== 2 || (n >= 1 && n <= 61440))
  const mac = createHmac('sha256', room.nonceKey).update(e.subarray(0, 37)).update(plain).digest()
  check('3.9', 'nonce', same(mac.subarray(0, 24), nonce))
  return { content, data: Buffer.from(plain.subarray(37, 37 + n)) }
}

// Section 4. The signature is judged last.
function openAction (data) {
  const s = within('4.1', 'signed', () => openSigned('peernomic/action/v1', data))
  const a = within('4.2', 'action', () => {
    const a = decode(s.payload)
    need(isArray(a, 11) && isUint(a[0]) && isBytes(a[1], 32) && isBytes(a[2], 32) && isUint(a[3]) && isBytes(a[4], 32) && ids(a[5]) &&
      isInt(a[6]) && isUint(a[7]) && a[7] < 256n && isBytes(a[8], 32) && isBytes(a[9]) && ids(a[10]), 'not an action')
    return a
  })
  const [version, game, device, seq, prev, heads, claimed, kind, link, body, parts] = a
  check('4.3', 'device', same(s.key, device))
  check('4.4', 'action-version', version === 1n)
  check('4.5', 'seq', seq >= 1n && seq <= 65536n)
  check('4.6', 'prev', (seq === 1n) === same(prev, ZERO))
  check('4.7', 'heads', heads.length <= 16 && !(kind === 1n && heads.length > 0))
  heads.forEach((h, i) => check('4.7', 'heads', Buffer.compare(i ? heads[i - 1] : ZERO, h) < 0 && !same(h, prev)))
  check('4.8', 'claimed', claimed >= 0n && claimed <= 253402300799999n)
  check('4.9', 'kind', kind >= 1n && kind <= 7n)
  check('4.10', 'first', (seq === 1n) === (kind <= 2n))
  check('4.11', 'no-game', (kind === 1n) === same(game, ZERO))
  check('4.12', 'body', body.length <= 8192 && parts.length <= 72)
  judgeSignature(s, '4.13', 'key', '4.14', 'signature')
  const id = digest('peernomic/action/v1', s.payload)
  return { id: hex(id), device: hex(device), game: hex(game), seq: Number(seq), prev: hex(prev), heads: heads.map(hex), claimed: Number(claimed), kind: Number(kind), link, body, parts: parts.map(hex) }
}
function judgeSignature (s, keyClause, keyCode, clause, code) {
  check(keyClause, keyCode, isKey(s.key))
  check(clause, code, signedBy(s.key, s.toSign, s.signature))
}

// 4.15: null if the parts are not this action's, or do not expand as they must.
function wholeBody (a, parts) {
  const { body } = a
  if (parts.length === 0) return body
  const mark = (i) => a.kind === 1 ? Buffer.alloc(0) : digest('peernomic/parts/v1', Buffer.from(a.device, 'hex'), u64(a.seq), u64(i).subarray(4))
  if (!parts.every((p, i) => same(p.subarray(0, mark(i).length), mark(i)))) return null
  const packed = Buffer.concat(parts.map((p, i) => p.subarray(mark(i).length)))
  const limit = Math.min(4194304, 8 * packed.length)
  try {
    const { buffer, engine } = inflateRawSync(packed, { info: true, maxOutputLength: limit + 1 })
    if (engine.bytesWritten !== packed.length || buffer.length > limit) return null
    return Buffer.concat([body, buffer])
  } catch { return null }
}

const isEnrolment = (e) => isArray(e, 5) && isBytes(e[0], 32) && isBytes(e[1], 32) && isBytes(e[2], 32) && isText(e[3]) && isBytes(e[4])

// 4.16, 5.3
function openGenesis (room, a, whole) {
  check('4.12', 'body', whole !== null)
  const g = within('5.3', 'genesis', () => {
    need(a.body.length >= 4, 'no head')
    const n = a.body.readUInt32BE(0)
    need(n <= a.body.length - 4, 'head cut off')
    const h = decode(a.body.subarray(4, 4 + n))
    need(isArray(h, 11) && isUint(h[0]) && isText(h[1]) && isBytes(h[2], 32) && isBytes(h[3], 32) && isText(h[4]) && h[5].pairs &&
      h[5].pairs.every(([k, v]) => isText(k) && isText(v)) && isEnrolment(h[6]) && isBytes(h[7], 32) && isBytes(h[8], 16) && isBytes(h[9], 32), 'no head')
    const [kernel, title, notary, anchor, dice, options, founder, home, , rules, seams] = h
    need(isArray(seams) && seams.length <= 1 && seams.every((c) => isArray(c, 5) && isBytes(c[0], 32) && isUint(c[1]) && c[1] > 0n && [2, 3, 4].every((i) => isBytes(c[i], 32))), 'continues')
    const documents = whole.subarray(4 + n)
    need(same(digest('peernomic/ruleset/v1', documents), rules), 'another ruleset')
    const d = decode(documents)
    need(isArray(d) && d.every((x) => isArray(x, 2) && isText(x[0]) && isText(x[1])), 'no ruleset')
    need(kernel >= 1n && kernel < 1n << 32n && same(home, room.id) && line(title, 200) && ['beacon', 'practice'].includes(dice) && isKey(notary) && options.pairs.length <= 64, 'a field')
    return { title, notary, anchor, dice, founder, documents: d, continues: seams[0] ?? null }
  })
  g.owner = within('5.5', 'enrolment', () => checkEnrolment(g.founder, room.id, Buffer.from(a.device, 'hex')))
  const paths = g.documents.map(([path]) => path)
  check('5.3', 'genesis', paths.length <= 2048 && paths.every((p, i) => line(p, 200) && (i === 0 || Buffer.compare(Buffer.from(paths[i - 1]), Buffer.from(p)) < 0)))
  if (g.continues) { // 13.1
    check('5.3', 'genesis', paths.length === 2 && paths[0] === 'room.secret' && paths[1] === 'world.snapshot')
    const text = g.documents[0][1]
    g.earlier = Buffer.from(text, 'base64url')
    check('5.3', 'genesis', g.earlier.length === 32 && g.earlier.toString('base64url') === text)
  }
  return g
}

// Section 6, what needs no game: 6.1 to 6.3.
function readSeal (data) {
  const [s, p] = within('6.1', 'seal', () => {
    const s = openSigned('peernomic/seal/v1', data)
    const p = decode(s.payload)
    need(isArray(p, 8) && p[0] === 1n && isBytes(p[1], 32) && isBytes(p[2], 32) && isUint(p[3]) && p[3] !== 0n && isBytes(p[4], 32) && isInt(p[5]) && p[5] >= 0n &&
      p[5] <= 253402300799999n && ids(p[6]) && p[6].length <= 1024 && isBytes(p[7], 32), 'not a seal')
    return [s, p]
  })
  judgeSignature(s, '6.2', 'seal-key', '6.3', 'seal-sign')
  return { key: s.key, room: p[1], game: hex(p[2]), number: p[3], prev: hex(p[4]), time: Number(p[5]), envelopes: p[6].map(hex), link: p[7], hash: hex(digest('peernomic/seal/v1', s.payload)) }
}

// 12.1: what an amendment may hold.
const plain = (v) => v?.pairs ? v.pairs.every(([k, e]) => isText(k) && plain(e)) : isArray(v) ? v.every(plain) : typeof v !== 'bigint' || isUint(v) || isInt(v)
const values = (v) => (v?.pairs ? v.pairs.flat() : isArray(v) ? v : []).reduce((n, e) => n + values(e), 1)

// 12.1 and 12.2. Returns the id of a ballot's motion.
function openBallot (game, body) {
  const [, id, encoded] = within('12.2', 'ballot', () => {
    const b = decode(body)
    need(isArray(b, 3) && (b[0] === 1n || b[0] === 2n) && isBytes(b[1], 32) && isBytes(b[2]), 'not a ballot')
    need(b[0] === 1n || b[2].length === 0, 'a withdrawal carries no motion')
    return b
  })
  if (encoded.length === 0) return hex(id)
  const of = within('12.1', 'motion', () => {
    const m = decode(encoded, true)
    need(isArray(m, 5) && m[0] === 1n && isBytes(m[1], 32) && isBytes(m[2], 16) && isText(m[3]) && Buffer.byteLength(m[3]) <= 1000, 'not a motion')
    need(isArray(m[4]) && m[4].length > 0 && plain(m[4]) && values(m) <= 4096, 'no amendments')
    return m[1]
  })
  check('12.2', 'ballot', same(digest('peernomic/motion/v1', encoded), id) && hex(of) === game)
  return hex(id)
}

// 13.4
function openMove (body) {
  within('13.4', 'move', () => {
    const m = decode(body)
    need(isArray(m, 5) && isBytes(m[0], 32) && !same(m[0], ZERO) && isUint(m[1]) && m[1] > 0n && isBytes(m[2], 32) && isText(m[3]) && Buffer.byteLength(m[3]) <= 1000, 'not a move')
    need(isArray(m[4]) && m[4].length <= 4096 && m[4].every((i) => isArray(i, 2) && isBytes(i[0], 32) && isBytes(i[1])), 'no invitations')
  })
}

// A log is what somebody holds of one game: envelopes and seals in the order in which they came.
class Log {
  constructor (room, game) {
    Object.assign(this, { room, game })
    this.envelopes = new Map() // hash → { part | action | refused }
    this.held = [] // seals that are not linked, in the order in which they came
    this.parts = new Map() // id → content
    this.actions = new Map() // id → action
    this.verdicts = new Map() // id → null while it waits, 'ok', or a Refused
    this.waiting = new Map() // id → ids of actions that wait for it
    this.admitted = [] // complete actions, in the order in which they became so
    this.chain = [] // linked seals, number 1 first
  }

  // Takes an envelope in. Returns its Refused, or null if it is good or waits.
  envelope (bytes) {
    const hash = hex(digest('peernomic/envelope/v1', bytes))
    if (!this.envelopes.has(hash)) {
      const t = tried(() => {
        const { content, data } = openEnvelope(this.room, bytes)
        return content === 1 ? { action: openAction(data) } : { part: hex(digest('peernomic/part/v1', data)), data }
      })
      const e = t.refused ?? t.value
      this.envelopes.set(hash, t.refused ? { refused: e } : e)
      if (!t.refused) this.#enter(e)
    }
    return this.refusal(hash)
  }

  refusal (hash) {
    const e = this.envelopes.get(hash)
    if (e.refused) return e.refused
    const v = e.action ? this.verdicts.get(e.action.id) : null
    return v instanceof Refused ? v : null
  }

  #enter (e) {
    if (e.part) {
      this.parts.set(e.part, e.data)
      this.#wake([e.part])
    } else if (!this.actions.has(e.action.id)) {
      const { id } = e.action
      this.actions.set(id, e.action)
      this.verdicts.set(id, null)
      for (const d of this.dependsOn(e.action)) this.waiting.set(d, [...(this.waiting.get(d) ?? []), id])
      if (this.#judge(id)) this.#wake([id])
    }
  }

  dependsOn (a) {
    return [...a.heads, ...(a.seq > 1 ? [a.prev] : []), ...a.parts, ...(a.kind === 1 ? [] : [a.game])]
  }

  // Judges again who waited for these, and who waited for those.
  #wake (queue) {
    for (let id; (id = queue.shift()) !== undefined;) {
      const list = this.waiting.get(id) ?? []
      this.waiting.delete(id)
      for (const w of list) if (this.#judge(w)) queue.push(w)
    }
  }

  // Section 5: judges an action as far as what it depends on is held. Says whether it has a verdict now.
  #judge (id) {
    if (this.verdicts.get(id) !== null) return false
    const a = this.actions.get(id)
    const t = tried(() => {
      check('5.2', 'game', (a.kind === 1 ? id : a.game) === this.game)
      check('5.4', 'depends', !this.dependsOn(a).some((d) => this.verdicts.get(d) instanceof Refused))
      const held = this.dependsOn(a).every((d) => this.parts.has(d) || this.verdicts.get(d) === 'ok')
      if (a.kind === 1 && !held) return false
      if (a.seq === 1) this.#checkFirst(a)
      else if (this.actions.has(a.prev)) this.#checkNext(a, this.actions.get(a.prev))
      return held
    })
    if (t.refused) this.verdicts.set(id, t.refused)
    else if (!t.value) return false
    else {
      this.verdicts.set(id, 'ok')
      this.admitted.push(id)
      const p = this.actions.get(a.prev)
      a.person = a.owner ? hex(a.owner.identity) : p.person
      a.name = a.owner ? a.owner.name : p.name
      if (a.kind === 1) { // the seals that came before it
        const early = this.held
        this.held = []
        early.forEach((s) => this.follows(s))
      }
    }
    return true
  }

  #checkFirst (a) {
    if (a.kind === 1) {
      a.genesis = openGenesis(this.room, a, this.whole(a))
      a.owner = a.genesis.owner
    } else {
      a.owner = within('5.5', 'enrolment', () => {
        need(a.parts.length === 0, 'an enrolment has no parts')
        return checkEnrolment(decode(a.body), this.room.id, Buffer.from(a.device, 'hex'))
      })
    }
    check('5.7', 'link', same(before(a.link), a.owner.anchor))
  }

  #checkNext (a, p) {
    check('5.6', 'feed', p.device === a.device && p.seq === a.seq - 1)
    check('5.7', 'link', same(before(a.link), p.link))
  }

  whole (a) {
    if (a.whole === undefined) a.whole = wholeBody(a, a.parts.map((p) => this.parts.get(p)))
    return a.whole
  }

  get genesis () { return this.verdicts.get(this.game) === 'ok' ? this.actions.get(this.game).genesis : null }

  // Takes a seal in. Returns its Refused, or null if it is linked or held.
  seal (bytes) { const t = tried(() => readSeal(bytes)); return t.refused ?? this.follows(t.value) }

  // 6.4 to 6.10
  follows (s) {
    const t = tried(() => {
      check('6.4', 'seal-room', same(s.room, this.room.id) && s.game === this.game)
      if (this.genesis) {
        check('6.5', 'notary', same(s.key, this.genesis.notary))
        const at = this.chain[Number(s.number) - 1]
        check('6.6', 'notary-fork', !at || at.hash === s.hash)
      }
      check('6.7', 'seal-ahead', s.number <= BigInt(this.chain.length) + 65536n)
      if (this.genesis && s.number === BigInt(this.chain.length + 1)) this.#judgeNext(s)
    })
    if (t.refused) return t.refused
    this.held.push(s)
    for (let next; this.genesis && (next = this.held.find((x) => x.number === BigInt(this.chain.length + 1) && !tried(() => this.#judgeNext(x)).refused));) this.chain.push(next)
    if (this.genesis) this.held = this.held.filter((x) => x.number > BigInt(this.chain.length))
    return null
  }

  #judgeNext (s) {
    const last = this.chain.at(-1)
    check('6.8', 'seal-prev', s.prev === (last ? last.hash : hex(ZERO)))
    check('6.9', 'seal-link', same(before(s.link), last ? last.link : this.genesis.anchor))
    check('6.10', 'seal-time', !last || (s.time >= last.time && s.time <= last.time + 316224000000))
  }

  // Section 7
  order (chain = this.chain) {
    const at = new Map() // id → { id, seal, time, link, void }
    const parts = new Set()
    const first = new Map() // hash → its first naming
    for (const s of chain) for (const h of s.envelopes) if (!first.has(h)) first.set(h, { rank: first.size, seal: s })
    const missing = [...first.keys()].filter((h) => !this.envelopes.has(h)).length
    const named = new Map() // id → its first naming
    const slots = new Map() // device and number → the action that counts
    const wait = new Map() // dependency → actions that were visited and wait for it
    const ready = []
    const hasPlace = (d) => at.has(d) || parts.has(d)
    const visited = (id) => {
      const d = this.dependsOn(this.actions.get(id)).find((d) => !hasPlace(d))
      if (d === undefined) ready.push(id)
      else wait.set(d, [...(wait.get(d) ?? []), id])
    }
    const placed = (d) => { const list = wait.get(d) ?? []; wait.delete(d); list.forEach(visited) }
    walk: for (const s of chain) {
      for (const h of s.envelopes) {
        if (first.get(h).seal !== s) continue
        const e = this.envelopes.get(h)
        if (!e) break walk
        if (e.part) {
          if (parts.has(e.part)) continue
          parts.add(e.part)
          placed(e.part)
        } else if (e.action && !named.has(e.action.id) && !this.refusal(h)) {
          named.set(e.action.id, first.get(h))
          visited(e.action.id)
        }
        while (ready.length > 0) {
          ready.sort((x, y) => named.get(x).rank - named.get(y).rank)
          const id = ready.shift()
          at.set(id, { id, seal: s, void: this.void(this.actions.get(id), at, slots, named.get(id).seal) })
          placed(id)
        }
      }
    }
    return { at, parts, first, missing, slots }
  }

  // 7.6 to 7.8
  void (a, at, slots, naming) {
    const slot = `${a.device} ${a.seq}`
    if (slots.has(slot) || (a.seq > 1 && at.get(a.prev).void === 'fork')) return 'fork'
    slots.set(slot, a.id)
    if (this.whole(a) === null) return 'body'
    if (naming && a.claimed > naming.time + 86400000) return 'claimed'
    return null
  }

  // 7.9
  tentative (order = this.order()) {
    const newest = Buffer.from(this.chain.at(-1)?.hash ?? hex(ZERO), 'hex')
    const rank = new Map()
    for (const [h, n] of order.first) { const e = this.envelopes.get(h); if (e?.action && !rank.has(e.action.id)) rank.set(e.action.id, n.rank) }
    const tie = new Map()
    const tieOf = (a) => { if (!tie.has(a.device)) tie.set(a.device, digest('peernomic/tie/v1', newest, Buffer.from(a.device, 'hex'))); return tie.get(a.device) }
    const compare = (x, y) => {
      const [p, q] = [rank.get(x.id) ?? Infinity, rank.get(y.id) ?? Infinity]
      if (p !== q) return p - q
      return Buffer.compare(tieOf(x), tieOf(y)) || x.seq - y.seq || (x.id < y.id ? -1 : 1)
    }
    let left = this.admitted.filter((id) => !order.at.has(id)).map((id) => this.actions.get(id))
    const at = new Map(order.at)
    const slots = new Map(order.slots)
    const out = []
    while (left.length > 0) {
      const ready = left.filter((a) => this.dependsOn(a).every((d) => this.parts.has(d) || at.has(d)))
      const next = ready.reduce((x, y) => compare(x, y) < 0 ? x : y)
      const p = { id: next.id, void: this.void(next, at, slots, null) }
      at.set(next.id, p)
      out.push(p)
      left = left.filter((a) => a !== next)
    }
    return out
  }
}

// Section 8, record by record. Returns the logs of the chapters; throws what is wrong.
function readArchive (file) {
  const start = Buffer.from('peernomic archive v1\n')
  check('8.1', 'archive', file.length <= 536870912 && same(file.subarray(0, start.length), start))
  let at = start.length
  const record = () => {
    check('8.2', 'archive', at + 5 <= file.length && at + 5 + file.readUInt32BE(at + 1) <= file.length)
    const r = { type: String.fromCharCode(file[at]), from: at, data: file.subarray(at + 5, at + 5 + file.readUInt32BE(at + 1)) }
    check('8.2', 'archive', 'HESZ'.includes(r.type))
    at += 5 + r.data.length
    return r
  }
  const chapters = []
  let log, came, named, fresh, seals
  const begin = (data) => {
    const [secret, game] = within('8.3', 'archive', () => {
      const h = decode(data)
      need(isArray(h, 2) && isBytes(h[0], 32) && isBytes(h[1], 32), 'head')
      return h
    })
    log = new Log(new Room(secret), hex(game))
    log.secret = secret
    chapters.push(log)
    came = new Map() // hash → how it was refused when it came, or null
    named = new Set()
    fresh = [] // envelopes since the last seal
    seals = 0
  }
  const end = () => {
    check('8.6', 'archive', log.genesis)
    for (const h of fresh) if (came.get(h)) throw came.get(h)
    check('8.5', 'archive', log.chain.length === seals && log.order().missing === 0)
    check('8.7', 'archive', sameList(fresh, tail(log, named)))
    if (chapters.length > 1) checkSeam(chapters.at(-2), log.genesis)
  }
  for (;;) {
    const r = record()
    if (r.type === 'H') {
      if (log) end()
      begin(r.data)
      continue
    }
    check('8.3', 'archive', log)
    if (r.type === 'E') {
      const hash = hex(digest('peernomic/envelope/v1', r.data))
      if (!came.has(hash)) came.set(hash, log.envelope(r.data))
      fresh.push(hash)
    } else if (r.type === 'S') {
      const s = readSeal(r.data)
      for (const h of s.envelopes) {
        if (named.has(h)) continue
        named.add(h)
        if (fresh[0] === h) { fresh.shift(); continue }
        const junk = fresh.find((f) => came.get(f))
        if (junk && !fresh.includes(h)) throw came.get(junk)
        check('8.4', 'archive', false)
      }
      check('8.4', 'archive', fresh.length === 0)
      const refused = log.follows(s)
      if (refused) throw refused
      seals++
      check('8.5', 'archive', s.number === BigInt(seals) && (!log.genesis || log.chain.length === seals))
    } else {
      end()
      check('8.8', 'archive', same(r.data, digest('peernomic/archive/v1', file.subarray(0, r.from))) && at === file.length)
      return chapters
    }
  }
}

// 8.9
function checkSeam (earlier, genesis) {
  const c = genesis.continues
  check('8.9', 'archive', c && hex(c[0]) === earlier.game && same(genesis.earlier, earlier.secret))
  const s = earlier.chain[Number(c[1]) - 1]
  check('8.9', 'archive', s && s.hash === hex(c[2]) && same(orderDigest(earlier.order(), c[1]), c[4]))
}
const sameList = (a, b) => a.length === b.length && a.every((x, i) => x === b[i])

// 8.7: the hashes of what stands after the last seal.
function tail (log, named) {
  const of = new Map() // id of an action or part → hash of the first envelope that holds it
  for (const [h, e] of log.envelopes) { const id = e.part ?? e.action?.id; if (id && !of.has(id)) of.set(id, h) }
  const sealed = new Set([...named].map((h) => log.envelopes.get(h)).map((e) => e.part ?? e.action?.id))
  const out = new Set()
  for (const id of log.admitted) {
    for (const d of [...log.actions.get(id).parts, id]) if (!sealed.has(d)) out.add(of.get(d))
  }
  return [...out]
}

// The order in 32 bytes (7.10)
function orderDigest (order, seal = 1n << 64n) {
  return digest('peernomic/order/v1', ...[...order.at.values()].filter((p) => p.seal.number <= seal).map((p) =>
    Buffer.concat([Buffer.from(p.id, 'hex'), u64(p.seal.number), Buffer.of(p.void ? 1 : 0)])))
}

function judgeVectors (file, signs) {
  const v = JSON.parse(readFileSync(file))
  const bytes = (s) => Buffer.from(s, 'hex')
  const { expect, sum } = tally()
  for (const s of JSON.parse(readFileSync(signs))) {
    expect(`clause 1.5 key of ${s.name}`, isKey(bytes(s.key)), s.valid)
    expect(`clause 1.5 ${s.name}`, isKey(bytes(s.key)) && signedBy(bytes(s.key), bytes(s.message), bytes(s.signature)), s.good)
  }
  const room = new Room(bytes(v.derived.find((d) => d.clause === '2.3').in))
  const messages = new Map(v.messages.map((m) => [m.name, m]))
  const names = new Map(v.messages.filter((m) => m.id).map((m) => [m.id, m.name]))
  const add = (log, name) => {
    const m = messages.get(name)
    return m.type === 'envelope' ? log.envelope(bytes(m.bytes)) : log.seal(bytes(m.bytes))
  }
  const game = messages.get('genesis').id
  for (const c of v.checks) {
    const log = new Log(room, c.game ?? game)
    for (const g of c.given) expect(`${g}, before ${c.name}`, add(log, g.replace(/^!/, '')) !== null, g.startsWith('!'))
    const r = add(log, c.add)
    expect(`clause ${c.clause} ${c.name}`, r?.code ?? '', c.want)
    if (r) expect(`clause of ${c.name}`, r.clause, c.clause)
  }
  for (const c of v.orders) {
    const log = new Log(room, game)
    for (const g of c.given) add(log, g)
    const order = log.order()
    const show = (list) => list.map((p) => `${names.get(p.id ?? p.action) ?? p.action}@${p.seal?.number ?? p.seal ?? 0}${p.void ? ' ' + p.void : ''}`).join(', ')
    expect(`clause ${c.clause} ${c.name}`, show([...order.at.values()]), show(c.placed))
    expect(`clause ${c.clause} ${c.name}, tentative`, show(log.tentative(order)), show(c.tentative))
    expect(`clause 7.10 ${c.name}`, hex(orderDigest(order)), c.digest)
    expect(`clause ${c.clause} ${c.name}, missing`, order.missing, c.missing)
  }
  for (const c of v.archives) expect(`clause ${c.clause} ${c.name}`, tried(() => readArchive(bytes(c.bytes))).refused?.clause ?? '', c.want)
  for (const c of v.readings) {
    const t = tried(() => within(c.clause, 'text', () => readings[c.kind](bytes(c.in), bytes(c.with ?? ''))))
    expect(`clause ${c.clause} ${c.name}`, t.refused ? '' : hex(t.value), c.out)
  }
  for (const c of v.moves) expect(`clause ${c.clause} ${c.name}`, tried(() => openMove(bytes(c.body))).refused?.code ?? '', c.want)
  for (const c of v.ballots) {
    const t = tried(() => openBallot(game, bytes(c.body)))
    expect(`clause ${c.clause} ${c.name}`, t.refused?.code ?? '', c.want)
    if (t.value) expect(`motion of ${c.name}`, t.value, c.motion)
  }
  return sum()
}

// What `nomic verify --json` says of a game, held against the log. Returns what is not so.
function compare (log, said) {
  const wrong = []
  const is = (what, got, want) => { if (String(got) !== String(want)) wrong.push(`${what} is ${got}, and not ${want}`) }
  const order = log.order()
  const places = [...order.at.values()]
  is('the game', log.game, said.game)
  is('the room', hex(log.room.id), said.room)
  is('the title', log.genesis.title, said.title)
  is('the number of seals', log.chain.length, said.ledger.seals)
  is('the number of places', places.length, said.ledger.placed)
  is('the number of tentative actions', log.tentative(order).length, said.ledger.tentative)
  is('the number of forks', forks(log), said.ledger.forks)
  is('the order', hex(orderDigest(order)), said.ledger.order)
  for (const roll of said.ledger.throws ?? []) {
    const t = tried(() => judgeRoll(log, order, places, roll))
    if (t.refused) wrong.push(`the roll of ${roll.action}: clause ${t.refused.clause} of the dice: ${t.refused.message}`)
  }
  return wrong
}

const forks = (log) => log.admitted.length - new Set(log.admitted.map((id) => log.actions.get(id)).map((a) => `${a.device} ${a.seq}`)).size

// The dice's 3.1, 3.4 to 3.6 and 4, but for what only rules know: that these dice were called for, how
// many witnesses were wanted, and who is a player.
function judgeRoll (log, order, places, roll) {
  const must = (clause, ok, text) => { if (!ok) throw new Refused(clause, 'roll', text) }
  const p = order.at.get(roll.action)
  const a = log.actions.get(roll.action)
  must('3.1', p && !p.void && p.seal.number === BigInt(roll.seal), 'the action has no such place')
  const rank = (id) => places.findIndex((x) => x.id === id)
  const from = rank(roll.action)
  const people = new Set([a.person])
  let last = from // places from which the witnesses were asked, later ones first
  const links = []
  for (const id of roll.witnesses ?? []) {
    const w = order.at.get(id)
    const part = log.actions.get(id)
    must('3.5', w && w.void === null && rank(id) > from && part.kind === 6 && part.parts.length === 0, 'a witness did not come')
    const body = within('3.5', 'roll', () => decode(part.body))
    must('3.5', ids(body) && body.length === 2 && hex(body[0]) === roll.action && hex(body[1]) === p.seal.hash, 'a part in another roll')
    must('3.5', w.seal.time < p.seal.time + 30000, 'a witness came too late')
    const of = (x) => log.actions.get(x.id).device === part.device
    const asked = places.findLastIndex((x, i) => i < from && x.void !== 'fork' && of(x))
    must('3.4', asked >= 0 && log.actions.get(places[asked].id).seq + 1 === part.seq, 'the part has another number')
    must('3.4', !places.some((x, i) => i < from && of(x) && log.actions.get(x.id).seq >= part.seq), 'the link was known')
    must('3.5', places.find((x, i) => i > from && of(x) && log.actions.get(x.id).seq === part.seq).id === id, 'another action with the number came first')
    must('3.4', asked < last && !people.has(part.person), 'the witnesses were asked in another order')
    last = asked
    people.add(part.person)
    links.push(part.link)
  }
  must('3.4', links.length <= roll.wanted, 'more witnesses than wanted')
  const k = roll.wanted > 0 ? Buffer.of(roll.wanted) : Buffer.alloc(0)
  const dice = roller(digest('peernomic/roll/v1', Buffer.from(log.game, 'hex'), Buffer.from(roll.action, 'hex'), a.link, p.seal.link, k, ...links))
  for (const { sides, value } of roll.dice) must('4.2', dice.roll(BigInt(sides)) === BigInt(value), `a die of ${sides} does not show ${value}`)
}

function report (file, log) {
  const order = log.order()
  const left = log.tentative(order).length
  console.log(`${file}: good: ${JSON.stringify(log.genesis.title)}, ${order.at.size} actions in order by ${log.chain.length} seals`)
  console.log(`  game  ${log.game}\n  order ${hex(orderDigest(order))}`)
  if (left > 0) console.log(`  ${left} more without a place yet`)
  if (forks(log) > 0) console.log(`  ${forks(log)} times a device signed two actions with one number; the first in order stands`)
  console.log('  not checked: what the rules made of the actions, so neither the state nor which dice they called for')
}

const [option, ...rest] = process.argv.slice(2)
if (option === '--vectors' && rest.length === 2) {
  process.exitCode = judgeVectors(...rest) ? 0 : 1
} else if (option === '--said' && rest.length === 2) {
  const said = JSON.parse(readFileSync(rest[0]))
  const t = tried(() => readArchive(readFileSync(rest[1])))
  const wrong = t.refused ? [`clause ${t.refused.clause} fails: ${t.refused.message}`] : compare(t.value.at(-1), said)
  if (t.value) t.value.forEach((log) => report(rest[1], log))
  for (const roll of said.ledger?.throws ?? []) console.log(`  roll of ${roll.action}: ${roll.dice.map((d) => `d${d.sides}=${d.value}`).join(' ')}${roll.wanted ? `, ${roll.witnesses?.length ?? 0} of ${roll.wanted} witnesses` : ''}`)
  for (const w of wrong) console.log(`WRONG: ${w}`)
  process.exitCode = wrong.length > 0 ? 1 : 0
} else if (option === '--verdicts' && rest.length === 1) {
  // For tests: one archive a line, in base64; one verdict a line.
  for (const text of readFileSync(rest[0], 'latin1').trim().split('\n')) {
    const t = tried(() => readArchive(Buffer.from(text, 'base64')))
    console.log(t.refused ? t.refused.clause : hex(orderDigest(t.value.at(-1).order())))
  }
} else if (option && !option.startsWith('--')) {
  for (const file of [option, ...rest]) {
    const t = tried(() => readArchive(readFileSync(file)))
    if (t.refused) { console.log(`${file}: bad: clause ${t.refused.clause}: ${t.refused.message}`); process.exitCode = 1 } else t.value.forEach((log) => report(file, log))
  }
} else {
  console.log('usage: node verify-game.mjs GAME... | --said JSON GAME | --vectors FILE SIGNATURES')
  process.exitCode = 2
}
