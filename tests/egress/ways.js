// Ways of a page to connect: each goes to a name of its own, whose address is 10.0.1.<number>.
// HOSTS, set before this: further private hosts, as URLs write them.

const inside = (number) => `http://w${number}.inside.example/way`;
const add = (name, attributes, parent = document.body) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return parent.appendChild(made);
};
const code = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
const frame = (html) => add("iframe", { srcdoc: html });
const silent = { mode: "no-cors" };
const later = (seconds) => new Promise((then) => setTimeout(then, 1000 * seconds));
const rules = (kind, url) => {
    const rule = { [kind]: [{ urls: [url], eagerness: "immediate" }] };
    add("script", { type: "speculationrules" }).textContent = JSON.stringify(rule);
};
const bounce = (url) => `/bounce?to=${encodeURIComponent(url)}`;

// WebRTC: what a STUN or TURN server is asked, and what a peer at an address is sent.
const stun = async (urls) => {
    const servers = [{ urls, username: "a", credential: "b" }];
    const peer = new RTCPeerConnection({ iceServers: servers, iceCandidatePoolSize: 1 });
    peer.createDataChannel("x");
    await peer.setLocalDescription(await peer.createOffer());
};
const reach = async (address, protocol, type) => {
    const [here, there] = [new RTCPeerConnection(), new RTCPeerConnection()];
    here.createDataChannel("x");
    await here.setLocalDescription(await here.createOffer());
    await there.setRemoteDescription(here.localDescription);
    await there.setLocalDescription(await there.createAnswer());
    await here.setRemoteDescription(there.localDescription);
    const candidate = `candidate:1 1 ${protocol} 2122260223 ${address} 80 typ host${type}`;
    await here.addIceCandidate({ sdpMid: "0", sdpMLineIndex: 0, candidate });
};

const ways = {
    1: (url) => fetch(url, silent),
    2: (url) => {
        const asked = new XMLHttpRequest();
        asked.open("GET", url);
        asked.send();
    },
    3: (url) => add("img", { src: url }),
    4: (url) => add("script", { src: url }),
    5: (url) => add("iframe", { src: url }),
    6: (url) => new Worker(code(`fetch("${url}", { mode: "no-cors" })`)),
    7: (url) => new Worker(code(`importScripts("${url}")`)),
    8: (url) => new SharedWorker(code(`fetch("${url}", { mode: "no-cors" })`)),
    9: (url) => new WebSocket(url.replace("http", "ws")),
    10: (url) => new WebSocket(url.replace("http", "wss")),
    11: (url) => new EventSource(url),
    12: (url) => navigator.sendBeacon(url, "data"),
    13: (url) => fetch(url, { ...silent, method: "POST", body: "x", keepalive: true }),
    14: (url) => {
        add("iframe", { name: "target" });
        add("form", { method: "post", action: url, target: "target" }).submit();
    },
    15: (url) => window.open(url),
    16: (url) => add("a", { href: url, target: "_blank" }).click(),
    17: (url) => add("a", { href: "#here", ping: url }).click(),
    18: (url) => add("link", { rel: "prefetch", href: url }),
    19: (url) => add("link", { rel: "preconnect", href: url }),
    20: (url) => add("link", { rel: "dns-prefetch", href: url }),
    21: (url) => add("link", { rel: "preload", as: "script", href: url }),
    22: (url) => add("link", { rel: "modulepreload", href: url }),
    23: (url) => add("link", { rel: "prerender", href: url }),
    24: (url) => add("link", { rel: "stylesheet", href: url }),
    25: (url) => add("link", { rel: "manifest", href: url }),
    26: (url) => add("link", { rel: "icon", href: url }),
    27: (url) => (add("style", {}).textContent = `@import "${url}";`),
    28: (url) => (add("style", {}).textContent = `body { background: url(${url}) }`),
    29: (url) => new FontFace("Far", `url(${url})`).load(),
    30: (url) => add("video", { src: url, preload: "auto" }).load(),
    31: (url) => add("audio", { src: url, preload: "auto" }).load(),
    32: (url) => add("object", { data: url, type: "text/html" }),
    33: (url) => add("embed", { src: url, type: "text/html" }),
    34: (url) => add("input", { type: "image", src: url }),
    35: (url) => frame(`<meta http-equiv=refresh content="0; url=${url}">`),
    36: (url) => frame(`<script>location = "${url}"</script>`),
    37: (url) => import(url),
    38: (url) => rules("prefetch", url),
    39: (url) => rules("prerender", url),
    40: (url) => new WebTransport(url.replace("http:", "https:").replace("/way", ":443/way")),
    41: (url) => fetch(bounce(url), silent),
    42: (url) => fetch(`http://cdn.example${bounce(url)}`, silent),
    43: (url) => add("iframe", { src: bounce(url) }),
    44: (url) => stun(`stun:${new URL(url).hostname}:3478`),
    45: (url) => stun(`turn:${new URL(url).hostname}:3478?transport=tcp`),
    46: () => stun("stun:10.0.1.46:3478"),
    47: () => stun("turn:10.0.1.47:3478?transport=tcp"),
    48: () => reach("10.0.1.48", "udp", ""),
    49: () => reach("10.0.1.49", "tcp", " tcptype passive"),
    50: (url) => fetch(url.replace("http:", "https:"), silent),
    51: (url) => frame(`<script src="${url}"></script>`),
    52: (url) => new Worker(code(`new WebSocket("${url.replace("http", "ws")}")`)),
    53: (url) => navigator.serviceWorker.register(`/worker.js?to=${encodeURIComponent(url)}`),
    // 54 to 58 are headers of the page, 59 is another page: scenarios.py
};
const rebound = async () => {
    await fetch("http://rebound.example/first", silent);
    await fetch("http://rebound.example/moves", silent); // its owner leads it inside from now on
    await later(0.5);
    await fetch("http://rebound.example/second", silent);
};
const attempt = async (way, url) => {
    try {
        await way(url);
    } catch (error) {
        console.log(url, String(error));
    }
};
for (const [number, way] of Object.entries(ways)) attempt(way, inside(number));
for (const host of HOSTS) attempt((url) => fetch(url, silent), `http://${host}/way`);
attempt(rebound);
// What must work all the same: another host that is public.
attempt(async () => {
    await fetch("http://cdn.example/data", silent);
    add("a", { href: "/from-cdn" }).append("link");
});
attempt(() => {
    new WebSocket("ws://cdn.example/socket");
});
