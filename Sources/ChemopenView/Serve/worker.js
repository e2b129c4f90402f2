"use strict";

// Caches the page itself for use without a network. The page stores its own data.

const name = "page";
const files = ["./", "viewer.js", "viewer.css", "icon.svg", "inter.woff2", "manifest.webmanifest"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(name).then((cache) => cache.addAll(files)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

async function answer(request) {
  const cache = await caches.open(name);
  let fresh;
  try {
    fresh = await fetch(request);
  } catch {
    return (await cache.match(request, { ignoreSearch: true })) || Response.error();
  }
  // A proxy that cannot reach the server counts as being offline.
  if (fresh.status === 502 || fresh.status === 504) return (await cache.match(request)) || fresh;
  if (fresh.ok) await cache.put(request, fresh.clone());
  return fresh;
}

self.addEventListener("fetch", (event) => {
  const own = new URL("./", self.location).href;
  const isFile = files.some((file) => new URL(file, own).href === event.request.url.split("#")[0]);
  if (event.request.method === "GET" && isFile) event.respondWith(answer(event.request));
});
