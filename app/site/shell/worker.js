// Keeps one version of the app for offline use. Everything is fetched when the worker is installed,
// all of it or nothing; afterwards the app is served from here alone. Another version is another
// worker with its own cache, which waits until the page asks for it.
"use strict";

const VERSION = "{{.Version}}";
const CACHE = "peernomic-" + VERSION;
const FILES = {{.Files}};
const PAGE_NAMES = {{.PageNames}};
const PAGE_PREFIXES = {{.PagePrefixes}};

const isPage = (path) => PAGE_NAMES.includes(path) || PAGE_PREFIXES.some((prefix) => path.startsWith(prefix));
const isFile = (path) => path.startsWith("/web/") || path.startsWith("/shell/") || path === "/manifest.webmanifest";

self.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE);
      const page = await fetch("/", { cache: "no-cache" });
      // The server may have moved on while this worker was being installed: its page would then
      // belong to other files than these.
      if (!page.ok || page.headers.get("X-App-Version") !== VERSION) throw new Error("another version is being served");
      await cache.put("/", page);
      await cache.addAll(FILES);
    })()
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) {
        if (name.startsWith("peernomic-") && name !== CACHE) await caches.delete(name);
      }
      await self.clients.claim();
    })()
  );
});

self.addEventListener("message", (event) => {
  if (event.data === "activate") self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin) return;
  if (!isPage(url.pathname) && !isFile(url.pathname)) return;
  event.respondWith(
    (async () => {
      const cache = await caches.open(CACHE);
      const kept = isPage(url.pathname) ? cache.match("/") : cache.match(event.request, { ignoreSearch: true });
      return (await kept) || fetch(event.request);
    })()
  );
});
