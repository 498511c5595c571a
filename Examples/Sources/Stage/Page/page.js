// Shows what the app says and tells it what the user does.
"use strict"

const root = document.getElementById("root")
const notice = document.getElementById("notice")
const nodes = new Map([["root", root]])
let socket, retryDelay = 200

// The token comes in the part of the address that is sent to no server; it then leaves the address bar.
function takeToken() {
  if (location.hash.length < 2) return
  localStorage.setItem("token", location.hash.slice(1))
  history.replaceState(null, "", "/")
  socket?.close()
}

const currentPhase = () =>
  document.visibilityState === "hidden" ? "background" : document.hasFocus() ? "active" : "inactive"

function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
}

function say(text) {
  notice.textContent = text ?? ""
  notice.hidden = !text
}

function connect() {
  const query = new URLSearchParams({ phase: currentPhase() })
  // The session belongs to this tab: sessionStorage outlives a reload and the server.
  const session = sessionStorage.getItem("session")
  if (session) query.set("session", session)
  socket = new WebSocket(`ws://${location.host}/socket?${query}`,
    ["keepsake", `bearer.${localStorage.getItem("token")}`])
  let wasOpen = false
  socket.onopen = () => { wasOpen = true; retryDelay = 200; tellSize() }
  socket.onmessage = event => receive(JSON.parse(event.data))
  socket.onclose = () => {
    say(wasOpen || nodes.size > 1 ? "Waiting for the app to come back …"
      : "The app does not answer. Open the address that it prints when it starts.")
    setTimeout(connect, retryDelay)
    retryDelay = Math.min(retryDelay * 1.5, 2000)
  }
}

function receive(message) {
  if (message.elements) {
    sessionStorage.setItem("session", message.session)
    keepingFocus(() => {
      root.replaceChildren()
      nodes.clear()
      nodes.set("root", root)
      message.elements.forEach((element, index) => insert(element, root, index))
    })
    // Not before: until now the page was what an app that is gone had shown.
    say()
  } else if (message.animation && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
    animate(message.animation, () => message.patches.forEach(apply))
  } else {
    keepingFocus(() => message.patches.forEach(apply))
  }
}

// A short remark, which goes by itself.
function mention(text) {
  say(text)
  setTimeout(() => { if (notice.textContent === text) say() }, 6000)
}

function keepingFocus(change) {
  const id = document.activeElement?.id
  change()
  if (id && document.activeElement?.id !== id) document.getElementById(id)?.focus()
}

const drawings = new Set(["svg", "path", "clipPath", "text"])

function make(element) {
  const node = drawings.has(element.tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", element.tag)
    : document.createElement(element.tag ?? "div")
  node.id = element.id
  nodes.set(element.id, node)
  set(node, element)
  element.children?.forEach((child, index) => insert(child, node, index))
  return node
}

function set(node, { attributes = {}, style = {}, text }) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) node.removeAttribute(name)
    else node.setAttribute(name, value)
    attributeHooks[name]?.(node, value)
  }
  for (const [name, value] of Object.entries(style)) {
    if (value === null) node.style.removeProperty(name)
    else node.style.setProperty(name, value)
  }
  if (text === undefined) return
  node.textContent = text
  if (node.tagName === "text" && node.isConnected) fit(node.parentElement)
}

function insert(element, parent, index) {
  const node = make(element)
  parent.insertBefore(node, parent.children[index] ?? null)
  if (parent.isConnected) shown(node)
}

function forget(node) {
  if (node.tagName === "DIALOG") node.close()
  for (const child of node.querySelectorAll("[id]")) nodes.delete(child.id)
  nodes.delete(node.id)
}

function apply(patch) {
  const node = nodes.get(patch.id)
  switch (patch.kind) {
    case "set": set(node, patch); break
    case "insert": insert(patch.element, nodes.get(patch.parent), patch.index); break
    case "remove": forget(node); node.remove(); break
    case "move": {
      const parent = nodes.get(patch.parent)
      const others = [...parent.children].filter(child => child !== node)
      parent.insertBefore(node, others[patch.index] ?? null)
    }
  }
}

// What stays moves from its old place to the new one, what is new fades in, what is gone fades out.
function animate({ duration, curve }, change) {
  const timing = { duration: duration * 1000, easing: curve }
  const old = new Map([...nodes].map(([id, node]) => [id, node.getBoundingClientRect()]))
  const gone = new Map(nodes)
  keepingFocus(change)
  const moves = new Map()
  for (const [id, node] of nodes) {
    const before = old.get(id)
    if (!before) {
      if (old.has(node.parentElement?.id)) node.animate([{ opacity: 0 }, { opacity: 1 }], timing)
      continue
    }
    const after = node.getBoundingClientRect()
    moves.set(id, { x: before.x - after.x, y: before.y - after.y })
  }
  for (const [id, move] of moves) {
    // A parent carries its children along; a child only moves by what is left.
    const carried = moves.get(nodes.get(id).parentElement?.id) ?? { x: 0, y: 0 }
    const x = move.x - carried.x, y = move.y - carried.y
    if (x || y) nodes.get(id).animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], timing)
  }
  for (const [id, node] of gone) {
    if (nodes.has(id) || !old.has(id) || gone.has(node.parentElement?.id)) continue
    const place = old.get(id)
    Object.assign(node.style, { position: "fixed", left: `${place.x}px`, top: `${place.y}px`,
      width: `${place.width}px`, height: `${place.height}px`, pointerEvents: "none" })
    node.removeAttribute("id")
    node.setAttribute("aria-hidden", "true")
    document.body.append(node)
    node.animate([{ opacity: 1 }, { opacity: 0 }], timing).onfinish = () => node.remove()
  }
}

root.addEventListener("click", event => {
  // What can be moved is chosen as soon as it is touched.
  if (event.target.closest("[data-movable]")) return
  const target = event.target.closest("[data-tap]")
  // A double tap asks for the second of two clicks; the keyboard's click counts as any number.
  const count = Number(target?.dataset.tap || 1)
  if (target && (event.detail === 0 || event.detail % count === 0)) send({ kind: "tap", id: target.id })
})

root.addEventListener("keydown", event => {
  const target = event.target
  if (target.getAttribute("role") === "button" && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault()
    target.click()
  } else if (target.getAttribute("role") === "tab") {
    const tabs = [...target.parentElement.children]
    const index = tabs.indexOf(target)
    const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    const tab = tabs[(next + tabs.length) % tabs.length]
    tab.focus()
    tab.click()
  }
})

// A page that is being left is hidden after it said so, which is not to take that back.
let isLeaving = false
const tellPhase = () => { if (!isLeaving) send({ kind: "phase", phase: currentPhase() }) }
addEventListener("focus", tellPhase)
addEventListener("blur", tellPhase)
document.addEventListener("visibilitychange", tellPhase)
addEventListener("pagehide", () => {
  isLeaving = true
  send({ kind: "leaving" })
})
addEventListener("pageshow", () => {
  isLeaving = false
  tellPhase()
})

const tellSize = () => send({ kind: "size", width: innerWidth, height: innerHeight })
addEventListener("resize", tellSize)
for (const [event, inside] of [["mouseenter", true], ["mouseleave", false]])
  document.documentElement.addEventListener(event, () => send({ kind: "pointer", inside }))

addEventListener("hashchange", takeToken)
addEventListener("DOMContentLoaded", () => { takeToken(); connect() })
