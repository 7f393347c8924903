// Keeps the page for times without a network. With one, everything comes from the server, so that the page is always the newest.

// The build writes the names of the files.
const FILES = [];
const CACHE = 'worldlines';

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(['./', ...FILES])));
  self.skipWaiting();
});
self.addEventListener('activate', (event) => event.waitUntil(Promise.all([self.clients.claim(), forgetOld()])));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  // An engine answers now or not at all.
  if (request.method !== 'GET' || url.origin !== self.location.origin || url.pathname.endsWith('/engine')) return;
  event.respondWith(answer(request));
});

/** Programs have other names in each version. */
async function forgetOld() {
  const cache = await caches.open(CACHE);
  const known = new Set(FILES.map((name) => new URL(name, self.registration.scope).href));
  const programs = new URL('js/', self.registration.scope).href;
  for (const { url } of await cache.keys()) if (url.startsWith(programs) && !known.has(url)) await cache.delete(url);
}

async function answer(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: request.mode === 'navigate' });
    if (kept) return kept;
    throw error;
  }
}
