// A second verifier of dice, written from SPEC.md (and sections 1, 3, 4 and 6 of the ledger's) and
// from nothing else. It needs Node 18 and no package.
//
//   node verify.mjs TRANSCRIPT         says whether the dice of one roll follow, and what that does not show
//   node verify.mjs --vectors FILE     judges all vectors; exit status 1 if any verdict differs
import { createHash, createDecipheriv, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'

class Wrong extends Error {}
const fail = (text) => { throw new Wrong(text) }
const need = (ok, text) => { if (!ok) fail(text) }
const same = (a, b) => Buffer.compare(a, b) === 0

// Ledger 1.3
const digest = (label, ...parts) => {
  const h = createHash('sha256').update(label, 'latin1').update(Buffer.of(0))
  for (const p of parts) h.update(p)
  return h.digest()
}
const u64 = (n) => { const b = Buffer.alloc(8); b.writeBigUInt64BE(BigInt(n)); return b }

// Ledger 1.2: decodes one value and refuses every encoding but the one. Integers become BigInt, maps
// become arrays of pairs. With simple, there may be false, true and null.
function decode (data, simple = false) {
  let at = 0
  const take = (n) => {
    need(at + n <= data.length, 'cut off')
    at += n
    return data.subarray(at - n, at)
  }
  const head = () => {
    const b = take(1)[0]
    const major = b >> 5
    const low = b & 31
    if (low < 24) return [major, BigInt(low)]
    need(low <= 27, 'length of unknown form')
    const size = 1 << (low - 24)
    const n = BigInt('0x' + take(size).toString('hex'))
    need(n >= [24n, 0x100n, 0x10000n, 0x100000000n][low - 24], 'longer than needed')
    return [major, n]
  }
  const value = (depth) => {
    const start = at
    const [major, n] = head()
    need(depth <= 32 || (major !== 4 && major !== 5), 'nested too deep')
    switch (major) {
      case 0: return n
      case 1: return -1n - n
      case 2: need(n <= data.length, 'cut off'); return Buffer.from(take(Number(n)))
      case 3: need(n <= data.length, 'cut off'); return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(take(Number(n)))
      case 4: {
        need(n <= 65536n, 'too many elements')
        return Array.from({ length: Number(n) }, () => value(depth + 1))
      }
      case 5: {
        need(n <= 65536n, 'too many pairs')
        const pairs = []
        let last = null
        for (let i = 0; i < Number(n); i++) {
          const from = at
          const k = value(depth + 1)
          const key = data.subarray(from, at)
          need(last === null || Buffer.compare(last, key) < 0, 'keys out of order')
          last = key
          pairs.push([k, value(depth + 1)])
        }
        return { pairs }
      }
      case 7: if (simple && data[start] >= 0xf4 && data[start] <= 0xf6) return [false, true, null][data[start] - 0xf4] // falls through
      default: return fail(`unexpected value at ${start}`)
    }
  }
  const v = value(1)
  need(at === data.length, 'bytes after the end')
  return v
}
const isUint = (v) => typeof v === 'bigint' && v >= 0n && v < 1n << 64n
const isInt = (v) => typeof v === 'bigint' && v >= -(1n << 63n) && v < 1n << 63n
const isBytes = (v, n) => Buffer.isBuffer(v) && (n === undefined || v.length === n)
const isArray = (v, n) => Array.isArray(v) && (n === undefined || v.length === n)
const isText = (v) => typeof v === 'string'
const ids = (v) => isArray(v) && v.every((x) => isBytes(x, 32))

// Ledger 1.5
const P = (1n << 255n) - 19n
const L = (1n << 252n) + 27742317777372353535851937790883648493n
const mod = (a) => { const r = a % P; return r < 0n ? r + P : r }
const power = (b, e) => { let r = 1n; for (b = mod(b); e > 0n; e >>= 1n) { if (e & 1n) r = mod(r * b); b = mod(b * b) } return r }
const D = mod(-121665n * power(121666n, P - 2n))
const little = (b) => BigInt('0x' + Buffer.from(b).reverse().toString('hex'))
function plus ([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = mod((y1 - x1) * (y2 - x2)); const b = mod((y1 + x1) * (y2 + x2))
  const c = mod(2n * t1 * t2 * D); const d = mod(2n * z1 * z2)
  const e = b - a; const f = d - c; const g = d + c; const h = b + a
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)]
}
function validKey (key) {
  const n = little(key)
  const y = n & ((1n << 255n) - 1n)
  const odd = n >> 255n
  if (y >= P) return false
  const u = mod(y * y - 1n); const v = mod(D * y * y + 1n)
  let x = mod(u * power(v, 3n) * power(u * power(v, 7n), (P - 5n) / 8n))
  if (mod(v * x * x) === mod(-u)) x = mod(x * power(2n, (P - 1n) / 4n))
  if (mod(v * x * x) !== u || (x === 0n && odd === 1n)) return false
  if ((x & 1n) !== odd) x = mod(-x)
  let sum = [0n, 1n, 1n, 0n]
  let p = [x, y, 1n, mod(x * y)]
  if (x === 0n && y === 1n) return false
  for (let e = L; e > 0n; e >>= 1n) { if (e & 1n) sum = plus(sum, p); p = plus(p, p) }
  return sum[0] === 0n && sum[1] === sum[2]
}
function signedBy (key, message, signature) {
  if (signature.length !== 64 || little(signature.subarray(32)) >= L) return false
  const y = little(signature.subarray(0, 32)) & ((1n << 255n) - 1n)
  if (y >= P || y === 1n) return false
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key])
  return verify(null, message, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature)
}

// Ledger 1.4
function encodeBytes (b) {
  const n = b.length
  if (n < 24) return Buffer.concat([Buffer.of(0x40 + n), b])
  if (n < 256) return Buffer.concat([Buffer.of(0x58, n), b])
  if (n < 65536) return Buffer.concat([Buffer.of(0x59, n >> 8, n & 255), b])
  return Buffer.concat([Buffer.of(0x5a, n >>> 24, (n >> 16) & 255, (n >> 8) & 255, n & 255), b])
}
function openSigned (label, data) {
  need(data[0] === 0xd2, 'not tagged')
  const m = decode(data.subarray(1))
  need(isArray(m, 4) && isBytes(m[0]) && m[1].pairs?.length === 0 && isBytes(m[2]) && isBytes(m[3]), 'not a COSE_Sign1 message')
  const h = decode(m[0])
  need(h.pairs?.length === 2 && h.pairs[0][0] === 1n && h.pairs[0][1] === -8n && h.pairs[1][0] === 4n && isBytes(h.pairs[1][1], 32), 'another header')
  const key = h.pairs[1][1]
  const toSign = Buffer.concat([Buffer.of(0x84, 0x6a), Buffer.from('Signature1'), encodeBytes(m[0]), encodeBytes(Buffer.from(label)), encodeBytes(m[2])])
  return { key, payload: m[2], toSign, signature: m[3], judge: () => { need(validKey(key), 'not a valid key'); need(signedBy(key, toSign, m[3]), 'signature does not match') } }
}

// Ledger 3.1, 3.2, 3.4 to 3.8, 3.11
function openEnvelope ([envelope, key]) {
  need(envelope.length >= 77 && envelope.length <= 65536, 'envelope size')
  need(envelope[0] === 1, 'envelope version')
  need(envelope.readUInt32BE(33) === 0, 'key epoch')
  const nonce = Buffer.concat([Buffer.alloc(4), envelope.subarray(53, 61)])
  const box = createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: 16 })
  const body = envelope.subarray(61, -16)
  box.setAAD(envelope.subarray(0, 61), { plaintextLength: body.length })
  box.setAuthTag(envelope.subarray(-16))
  let plain
  try { plain = Buffer.concat([box.update(body), box.final()]) } catch { fail('does not open') }
  need(plain.length >= 37 && plain.subarray(0, 32).every((b) => b === 0), 'no commitment')
  const n = plain.readUInt32BE(33)
  need(n <= plain.length - 37 && plain.subarray(37 + n).every((b) => b === 0), 'padding')
  let size = 256
  while (size < 77 + 37 + n) size *= 2
  need(size === envelope.length, 'size class')
  need(plain[32] === 1, 'not an action')
  return { room: envelope.subarray(1, 33), data: plain.subarray(37, 37 + n) }
}

// Ledger 4.1 to 4.14
function openAction (sealed) {
  const { room, data } = openEnvelope(sealed)
  const s = openSigned('peernomic/action/v1', data)
  const a = decode(s.payload)
  need(isArray(a, 11) && isUint(a[0]) && isBytes(a[1], 32) && isBytes(a[2], 32) && isUint(a[3]) && isBytes(a[4], 32) && ids(a[5]) &&
    isInt(a[6]) && isUint(a[7]) && a[7] < 256n && isBytes(a[8], 32) && isBytes(a[9]) && ids(a[10]), 'not an action')
  const [version, game, device, seq, prev, heads, claimed, kind, link, body, parts] = a
  const zero = Buffer.alloc(32)
  need(same(s.key, device), 'another device')
  need(version === 1n, 'version')
  need(seq >= 1n && seq <= 65536n, 'number')
  need((seq === 1n) === same(prev, zero), 'predecessor')
  let last = zero
  need(heads.length <= 16 && !(kind === 1n && heads.length > 0), 'heads')
  for (const h of heads) { need(Buffer.compare(last, h) < 0 && !same(h, prev), 'heads'); last = h }
  need(claimed >= 0n && claimed <= 253402300799999n, 'claimed time')
  need(kind >= 1n && kind <= 6n, 'kind')
  need((seq === 1n) === (kind <= 2n), 'first')
  need((kind === 1n) === same(game, zero), 'game')
  need(body.length <= 8192 && parts.length <= 72, 'body')
  s.judge()
  return { room, id: digest('peernomic/action/v1', s.payload), game, device, seq, kind, link, body, parts }
}

const line = (s, limit) => {
  const n = Buffer.byteLength(s)
  return n > 0 && n <= limit && !s.startsWith(' ') && !s.endsWith(' ') && !/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(s)
}

// Ledger 5.5
function checkEnrolment (e, room, device) {
  need(isArray(e, 5) && isBytes(e[0], 32) && isBytes(e[1], 32) && isBytes(e[2], 32) && isText(e[3]) && isBytes(e[4]), 'not an enrolment')
  const [identity, box, anchor, name, proof] = e
  need(line(name, 64), 'name')
  const u = little(box)
  const small = [0n, 1n, P - 1n, 325606250916557431795983626356110631294008115727848805560023387167927233504n,
    39382357235489614581723060781553021112529911719440698176882885853963445705823n]
  need(u < P && !small.includes(u), 'X25519 key')
  need(validKey(identity), 'identity')
  need(signedBy(identity, digest('peernomic/enrolment/v1', room, device, box, anchor), proof), 'proof')
  return { identity, anchor, name }
}

// Ledger 4.16 and 5.2, without the parts
function checkGenesis (g) {
  need(g.kind === 1n && g.body.length >= 4, 'not a genesis')
  const n = g.body.readUInt32BE(0)
  need(n <= g.body.length - 4, 'genesis cut off')
  const h = decode(g.body.subarray(4, 4 + n))
  need(isArray(h, 11) && isUint(h[0]) && isText(h[1]) && isBytes(h[2], 32) && isBytes(h[3], 32) && isText(h[4]) && h[5].pairs &&
    h[5].pairs.every(([k, v]) => isText(k) && isText(v)) && isBytes(h[7], 32) && isBytes(h[8], 16) && isBytes(h[9], 32), 'not a genesis')
  need(isArray(h[10]) && h[10].length <= 1 && h[10].every((c) => isArray(c, 5) && isBytes(c[0], 32) && isUint(c[1]) && c[1] !== 0n && [2, 3, 4].every((i) => isBytes(c[i], 32))), 'continues')
  const [kernel, title, notary, anchor, dice, options, founder, room] = h
  need(kernel !== 0n && same(room, g.room) && line(title, 200) && ['beacon', 'practice'].includes(dice) && validKey(notary) && options.pairs.length <= 64, 'genesis')
  return { notary, anchor, founder: checkEnrolment(founder, room, g.device) }
}

const before = (link) => digest('peernomic/link/v1', link)
const reaches = (link, n, anchor) => {
  if (n > 1048576n) return false // 2.5
  for (; n > 0n; n--) link = before(link)
  return same(link, anchor)
}

// Ledger 6.1 to 6.5
function openSeal (data, room, game, notary) {
  const s = openSigned('peernomic/seal/v1', data)
  const p = decode(s.payload)
  need(isArray(p, 8) && p[0] === 1n && isBytes(p[1], 32) && isBytes(p[2], 32) && isUint(p[3]) && p[3] !== 0n && isBytes(p[4], 32) && isInt(p[5]) && p[5] >= 0n &&
    p[5] <= 253402300799999n && ids(p[6]) && p[6].length <= 1024 && isBytes(p[7], 32), 'not a seal')
  s.judge()
  need(same(p[1], room), 'of another room')
  need(same(p[2], game), 'of another game')
  need(same(s.key, notary), 'by another notary')
  return { number: p[3], time: p[5], envelopes: p[6], link: p[7], hash: digest('peernomic/seal/v1', s.payload) }
}

// 4.1 to 4.3
function * words (seed) {
  for (let i = 0n; ; i++) {
    const b = digest('peernomic/stream/v1', seed, u64(i))
    for (let j = 0; j < 32; j += 8) yield b.readBigUInt64BE(j)
  }
}
const fold = (w, n) => w >= (1n << 64n) - ((1n << 64n) % n) ? 0n : 1n + w % n
function roller (seed) {
  const source = words(seed)
  let taken = 0
  return {
    roll: (sides) => {
      if (sides === 0n) return 0n
      for (;;) { taken++; const v = fold(source.next().value, sides); if (v !== 0n) return v }
    },
    taken: () => taken
  }
}

// 5.12. What a transcript that passes does not show: N and M are the numbers of placed and named, k is wanted.
// Section 5. Returns the first clause that fails, or "".
function verifyTranscript (data) {
  let clause = '5.1'
  try {
    need(data.length <= 1048576, 'too large')
    const t = decode(data)
    const pair = (v) => isArray(v, 2) && isBytes(v[0]) && isBytes(v[1], 32)
    const attest = (w) => isArray(w, 4) && pair(w[0]) && pair(w[1]) && isBytes(w[2]) && isBytes(w[3])
    need(isArray(t, 9) && t[0] === 'peernomic roll v1' && pair(t[1]) && pair(t[2]) && pair(t[3]) && isBytes(t[4]) && isBytes(t[5]) &&
      isUint(t[6]) && t[6] <= 8n && isArray(t[7]) && t[7].length <= t[6] && t[7].every(attest) &&
      isArray(t[8]) && t[8].length <= 65536 && t[8].every((r) => isArray(r, 2) && isUint(r[0]) && isUint(r[1])), 'not a transcript')
    clause = '5.2'
    const g = openAction(t[1])
    const founding = checkGenesis(g)
    clause = '5.3'
    const enrolled = (sealed) => {
      const d = openAction(sealed)
      need(same(d.room, g.room), 'another room')
      let owner = founding.founder
      if (!same(d.id, g.id)) {
        need(d.kind === 2n && same(d.game, g.id) && d.parts.length === 0, 'does not enrol')
        owner = checkEnrolment(decode(d.body), d.room, d.device)
      }
      need(same(before(d.link), owner.anchor), 'link after the anchor')
      return { ...owner, device: d.device }
    }
    const owner = enrolled(t[2])
    clause = '5.4'
    const acts = (device, sealed) => {
      const a = openAction(sealed)
      need(same(a.room, g.room) && same(a.kind === 1n ? a.id : a.game, g.id) && same(a.device, device), 'another game or device')
      return a
    }
    const a = acts(owner.device, t[3])
    clause = '5.5'
    need(reaches(a.link, a.seq, owner.anchor), 'device link')
    clause = '5.6'
    const names = (data, sealed) => {
      const s = openSeal(data, g.room, g.id, founding.notary)
      const hash = digest('peernomic/envelope/v1', sealed[0])
      need(s.envelopes.some((h) => same(h, hash)), 'not named')
      return s
    }
    const named = names(t[4], t[3])
    clause = '5.7'
    const places = (data, named) => {
      const s = openSeal(data, g.room, g.id, founding.notary)
      need(s.number >= named.number && s.time >= named.time && (s.number !== named.number || same(s.hash, named.hash)), 'cannot place')
      return s
    }
    const placed = places(t[5], named)
    clause = '5.8'
    const linked = (s) => need(reaches(s.link, s.number, founding.anchor), 'seal link')
    linked(named)
    linked(placed)
    clause = '5.9'
    const people = [owner.identity]
    const links = []
    for (const [first, part, wNamed, wPlaced] of t[7]) {
      const w = enrolled(first)
      const p = acts(w.device, part)
      need(p.kind === 6n && p.parts.length === 0, 'no part')
      const body = decode(p.body)
      need(ids(body) && body.length === 2 && same(body[0], a.id) && same(body[1], placed.hash), 'part in another roll')
      need(reaches(p.link, p.seq, w.anchor), 'witness link')
      const n = names(wNamed, part)
      const at = places(wPlaced, n)
      linked(n)
      linked(at)
      need(at.number >= placed.number && at.time >= placed.time && at.time - placed.time < 30000n, 'too late')
      need(!people.some((i) => same(i, w.identity)), 'twice')
      people.push(w.identity)
      links.push(p.link)
    }
    clause = '5.10'
    const seed = digest('peernomic/roll/v1', g.id, a.id, a.link, placed.link, Buffer.alloc(t[6] > 0n ? 1 : 0, Number(t[6])), ...links)
    const dice = roller(seed)
    for (const [sides, value] of t[8]) need(sides <= 1n << 62n && dice.roll(sides) === value, 'dice')
    return {
      clause: '', seed: seed.toString('hex'), rolls: t[8], roller: owner.identity.toString('hex'), wanted: t[6], came: links.length,
    }
  } catch (e) {
    if (e instanceof Wrong || e instanceof TypeError) return { clause, text: e.message }
    throw e
  }
}

// Counts what is as it should be, and tells what is not.
function tally () {
  let count = 0
  let wrong = 0
  return {
    expect: (what, got, want) => {
      count++
      if (got !== want) { wrong++; console.log(`${what}: ${got}, want ${want}`) }
    },
    sum: () => { console.log(`${count} checks, ${wrong} wrong`); return wrong === 0 }
  }
}

function judgeVectors (file) {
  const v = JSON.parse(readFileSync(file))
  const bytes = (s) => Buffer.from(s, 'hex')
  const { expect, sum } = tally()
  for (const c of v.chains) {
    for (let i = 1; i < c.links.length; i++) expect(`clause 2.2 link ${i - 1}`, before(bytes(c.links[i])).toString('hex'), c.links[i - 1])
    expect('clause 2.1', digest('peernomic/chain/v1', bytes(c.seed)).toString('hex'), c.links.at(-1))
  }
  for (const c of v.seeds) {
    const label = c.clause === '3.2' ? 'peernomic/timer/v1' : 'peernomic/roll/v1'
    expect(`clause ${c.clause}`, digest(label, ...c.in.map(bytes)).toString('hex'), c.seed)
  }
  for (const c of v.words) {
    const source = words(bytes(c.seed))
    c.words.forEach((w, i) => expect(`clause 4.1 word ${i}`, source.next().value.toString(), w))
  }
  for (const c of v.folds) expect(`clause 4.2 ${c.word} of ${c.sides}`, fold(BigInt(c.word), BigInt(c.sides)).toString(), c.value)
  for (const c of v.streams) {
    const s = roller(bytes(c.seed))
    c.rolls.forEach((r, i) => expect(`clause ${c.clause} die ${i}`, s.roll(BigInt(r.sides)).toString(), r.value))
    expect(`clause ${c.clause} words taken`, s.taken(), c.taken)
  }
  for (const c of v.transcripts) {
    const r = verifyTranscript(bytes(c.bytes))
    expect(`clause ${c.clause} ${c.name}`, r.clause, c.want)
    if (c.want !== '') continue
    expect(`clause 3.1 ${c.name}`, r.seed, c.seed)
  }
  return sum()
}

// What the verifier of whole games, ../../ledger/testdata/verify-game.mjs, takes from here.
export {
  Wrong, need, same, digest, decode, isUint, isInt, isBytes, isArray, isText, ids, little, validKey, signedBy,
  openSigned, line, checkEnrolment, before, roller, u64, tally
}

const [option, file] = process.argv.slice(2)
if (!process.argv[1]?.endsWith('verify.mjs')) {
  // imported
} else if (option === '--vectors') {
  process.exitCode = judgeVectors(file) ? 0 : 1
} else if (option) {
  const r = verifyTranscript(readFileSync(option))
  if (r.clause) console.log(`bad: clause ${r.clause}: ${r.text}`)
  else {
    console.log('these dice follow from this action and this seal: ' + r.rolls.map(([sides, value]) => `d${sides}=${value}`).join(' '))
    console.log('that this is the roll that counted, only the game shows')
    console.log(`rolled by a device of the person with the key ${r.roller}`)
    console.log(`mode, as the proof claims: ${r.wanted === 0n ? 'no witnesses' : `${r.came} of ${r.wanted} witnesses came`}`)
    console.log('not shown: that they counted, which only the whole game shows')
  }
  process.exitCode = r.clause ? 1 : 0
} else {
  console.log('usage: node verify.mjs TRANSCRIPT | --vectors FILE')
  process.exitCode = 2
}
