// Starts the app: registers the worker that keeps it for offline use, loads the compiled program with
// a loading bar, and gives go-app the few functions that it calls by name.
"use strict";

(() => {
  const page = document.getElementById("app-shell").dataset;
  const env = {
    PEERNOMIC_VERSION: page.version,
    PEERNOMIC_RULESETS: page.rulesets,
    GOAPP_VERSION: page.version,
    GOAPP_STATIC_RESOURCES_URL: "",
    GOAPP_ROOT_PREFIX: "",
    GOAPP_INTERNAL_URLS: "[]",
  };

  // --- what go-app calls -------------------------------------------------------------------------

  let installPrompt = null;
  window.goappGetenv = (name) => env[name];
  window.goappNav = () => {};
  window.goappOnAppInstallChange = () => {};
  window.goappIsAppInstalled = () =>
    matchMedia("(display-mode: standalone)").matches || navigator.standalone === true;
  window.goappIsAppInstallable = () => installPrompt !== null && !window.goappIsAppInstalled();
  window.goappShowInstallPrompt = async () => {
    if (installPrompt === null) return;
    const prompt = installPrompt;
    installPrompt = null;
    prompt.prompt();
    await prompt.userChoice;
    window.goappOnAppInstallChange();
  };
  window.addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    installPrompt = event;
    window.goappOnAppInstallChange();
  });
  window.addEventListener("appinstalled", () => {
    installPrompt = null;
    window.goappOnAppInstallChange();
  });

  // go-app sets goappOnUpdate when it is ready, which may be after an update was found: it is then
  // told at once.
  let updateWaits = false;
  let onUpdate = () => {};
  Object.defineProperty(window, "goappOnUpdate", {
    get: () => onUpdate,
    set: (tell) => {
      onUpdate = tell;
      if (updateWaits) tell();
    },
  });

  // --- updates -------------------------------------------------------------------------------------

  // A new version is fetched in the background and then waits. Only the player's click brings it in:
  // nothing reloads under someone's hands, and old and new program never share a page.
  let registration = null;
  let clicked = false;

  window.peernomicUpdate = () => {
    clicked = true;
    if (registration && registration.waiting) registration.waiting.postMessage("activate");
    else location.reload();
  };

  const noticeUpdate = () => {
    updateWaits = true;
    onUpdate();
  };

  const watchForUpdates = async () => {
    if (!("serviceWorker" in navigator)) return;
    const hadWorker = navigator.serviceWorker.controller !== null;
    navigator.serviceWorker.addEventListener("controllerchange", () => {
      if (clicked) location.reload();
      else if (hadWorker) noticeUpdate(); // another tab has brought the new version in
    });
    try {
      registration = await navigator.serviceWorker.register("/app-worker.js", { updateViaCache: "none" });
    } catch (err) {
      console.warn("the app will not be available offline:", err);
      return;
    }
    if (registration.waiting && hadWorker) noticeUpdate();
    registration.addEventListener("updatefound", () => {
      const worker = registration.installing;
      worker.addEventListener("statechange", () => {
        if (worker.state === "installed" && navigator.serviceWorker.controller) noticeUpdate();
      });
    });
    const check = () => navigator.onLine && registration.update().catch(() => {});
    document.addEventListener("visibilitychange", () => document.hidden || check());
    setInterval(check, 60 * 60 * 1000);
  };

  // --- loading ---------------------------------------------------------------------------------------

  const loader = document.getElementById("app-wasm-loader");
  const label = document.getElementById("app-wasm-loader-label");
  const bar = document.getElementById("app-wasm-loader-bar");

  // The body arrives decompressed, so the bar compares with the size of the program itself, which the
  // page states; Content-Length would be that of the compressed file.
  const counted = (response) => {
    let loaded = 0;
    const count = new TransformStream({
      transform(chunk, out) {
        loaded += chunk.byteLength;
        bar.value = loaded;
        out.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(count), { headers: { "Content-Type": "application/wasm" } });
  };

  const start = async () => {
    const response = await fetch(page.wasm);
    if (response.status === 404 && !sessionStorage.getItem("reloaded")) {
      // The server was updated between the page and the program. Once is enough to catch up.
      sessionStorage.setItem("reloaded", "yes");
      location.reload();
      return;
    }
    if (!response.ok) throw new Error("the server answered " + response.status);
    const go = new Go();
    const { instance } = await WebAssembly.instantiateStreaming(counted(response), go.importObject);
    sessionStorage.removeItem("reloaded");
    const stopped = go.run(instance);
    loader.remove();
    watchForUpdates(); // not before: the worker loads every file, and would share network and processors with the start
    await stopped;
    document.getElementById("app-stopped").hidden = false;
  };

  document.getElementById("app-reload").addEventListener("click", () => location.reload());
  start().catch((err) => {
    console.error(err);
    bar.hidden = true;
    label.textContent = "The app could not be started: " + err.message + ". Reload the page to try again.";
  });
})();
