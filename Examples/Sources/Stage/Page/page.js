// Shows what the app says and tells it what the user does.
"use strict"

const root = document.getElementById("root")
const notice = document.getElementById("notice")
const nodes = new Map([["root", root]])
// What an app's own scripts do when the app has acknowledged events or was started again, an element was
// removed, was made what the app says, or is new, and the page has changed.
const hooks = { acknowledged: [], restarted: [], removed: [], reconciled: [], shown: [], changed: [] }
let socket, retry, retryDelay = 200

// The token comes in the part of the address that is sent to no server; it then leaves the address bar.
function takeToken() {
  if (location.hash.length < 2) return
  localStorage.setItem("token", location.hash.slice(1))
  history.replaceState(null, "", "/")
  reconnect()
}

const currentPhase = () =>
  document.visibilityState === "hidden" ? "background" : document.hasFocus() ? "active" : "inactive"

function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
}

// Whether the app answers. While it does not, what the user writes and moves waits here.
let isOnline = false
const waiting = []
const online = () => isOnline ? Promise.resolve() : new Promise(resolve => waiting.push(resolve))

function setOnline(isNowOnline, text) {
  isOnline = isNowOnline
  document.body.classList.toggle("offline", !isOnline)
  say("connection", text)
  if (!isOnline) return
  transmit()
  for (const resolve of waiting.splice(0)) resolve()
}

function connect() {
  const query = new URLSearchParams({ phase: currentPhase() })
  // The session belongs to this tab: sessionStorage outlives a reload and the server.
  const session = sessionStorage.getItem("session")
  if (session) query.set("session", session)
  const authorization = localStorage.getItem("token")
  const own = socket = new WebSocket(`ws://${location.host}/socket?${query}`, ["keepsake", `bearer.${authorization}`])
  let wasOpen = false
  socket.onopen = () => { wasOpen = true; retryDelay = 200; sent = 0; tellSize() }
  socket.onmessage = event => { if (socket === own) receive(JSON.parse(event.data)) }
  socket.onclose = async () => {
    if (socket !== own) return
    const isGone = "The app is not running. What you write and move is kept here until it is back."
    if (wasOpen) setOnline(false, isGone)
    // A socket does not say why it was refused.
    else if (!await mayConnect()) setOnline(false, "This window may not use the app any more. Open the address that "
      + "the app prints when it starts: this window then works again, too.")
    else if (!isOnline) setOnline(false, isGone)
    if (socket === own) retry = setTimeout(connect, retryDelay)
    retryDelay = Math.min(retryDelay * 1.5, 2000)
  }
}

const mayConnect = () => fetch("/access", { method: "POST", signal: AbortSignal.timeout(2000),
  headers: { Authorization: `Bearer ${localStorage.getItem("token")}` } })
  .then(reply => reply.status !== 403, () => true)

function reconnect() {
  if (!socket) return
  clearTimeout(retry)
  const old = socket
  retryDelay = 200
  connect()
  old.close()
}
addEventListener("storage", event => { if (event.key === "token" && !isOnline) reconnect() })

// An app that hangs closes no socket: it is asked, and what it has not answered twice counts as no answer.
let unanswered = 0
function ask() {
  if (document.hidden) return
  unanswered += 1
  send({ kind: "ping" })
  if (unanswered > 2 && isOnline)
    setOnline(false, "The app does not answer. What you write and move is kept here until it does.")
}
setInterval(ask, 700)
document.addEventListener("visibilitychange", () => { unanswered = 0; ask() })

// What the user did and the app has not acknowledged, in order. Each event has a number, by which the app
// performs it once, however often it is sent.
let pending = [], lastNumber = 0, sent = 0, acknowledged = 0, run
// What was acknowledged just now: an app that ends before it has saved it receives it again.
const recent = new Map()
const settlingTime = 5000
// What is the same when it is said again, so that the last one counts, and how it is called; a tap is not.
const repeatable = { input: "wrote" }
const isRepeatable = event => event.kind in repeatable

function act(event) {
  const node = nodes.get(event.id)
  if (!isOnline && !isRepeatable(event)) return remind()
  const last = pending.at(-1)?.event
  if (isRepeatable(event) && last?.kind === event.kind && last.id === event.id) {
    pending.pop()
    event.first ||= last.number > sent && last.first
  }
  event.number = ++lastNumber
  pending.push({ event, name: (node?.getAttribute("aria-label") ?? node?.textContent ?? "").trim().slice(0, 60) })
  const sheet = node?.closest("dialog")
  if (sheet) sheet.decision = isRepeatable(event) ? undefined : lastNumber
  transmit()
  return lastNumber
}

function transmit() {
  if (!isOnline) return
  for (const { event } of pending) {
    if (event.number <= sent) continue
    send(event)
    sent = event.number
  }
}

function acknowledge(received) {
  acknowledged = received
  for (const { event } of pending)
    if (event.number <= received && isRepeatable(event)) recent.set(event.id, { event, time: performance.now() })
  pending = pending.filter(({ event }) => event.number > received)
  for (const [id, { time }] of recent) if (performance.now() - time > settlingTime) recent.delete(id)
  for (const sheet of root.querySelectorAll("dialog")) if (sheet.decision <= received) sheet.decision = undefined
  for (const follow of hooks.acknowledged) follow()
}

function remind() {
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches)
    notice.animate([{ transform: "none" }, { transform: "scale(1.06)" }, { transform: "none" }], 250)
}

function receive(envelope) {
  unanswered = 0
  const [message] = Object.values(envelope)
  if (message.elements) {
    receiveScene(message)
  } else if (message.animation && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
    animate(message.animation, () => message.patches.forEach(apply))
  } else if (message.patches) {
    keepingFocus(() => message.patches.forEach(apply))
  }
  document.title = root.querySelector("[data-title]")?.dataset.title || appTitle
  acknowledge(message.received)
  if (!isOnline) setOnline(true)
  if (!message.elements && !message.patches) return
  followDepth()
  returnFocus()
  layGrids()
  for (const follow of hooks.changed) follow()
}

function receiveScene(message) {
  const isSameRun = message.run === run && message.session === sessionStorage.getItem("session")
  const texts = [...writings(root), ...kept.texts]
  kept.texts = []
  const settling = [...recent.values()]
  recent.clear()
  sessionStorage.setItem("session", message.session)
  run = message.run
  keepingFocus(() => {
    lower(root)
    reconcile(root, message.elements)
    if (root.querySelector("dialog")) raise()
  })
  lastNumber = Math.max(lastNumber, message.received)
  if (isSameRun) {
    for (const { id, base } of texts) if (nodes.has(id)) nodes.get(id).base = base
    return
  }
  // An app that was started again knows nothing of what the old one was told.
  const lost = pending.filter(({ event }) => !isRepeatable(event))
  if (lost.length) say("lost", "The app was started again before it answered. See whether this was done: "
    + `${lost.map(({ name }) => `“${name}”`).join(", ")}.`, { OK: () => {} })
  pending = pending.filter(({ event, name }) => {
    const isThere = nodes.has(event.id)
    if (isRepeatable(event) && !isThere) {
      if (event.kind !== "input")
        say("gone", `“${name}”, which you ${repeatable[event.kind]}, is no longer there.`, { OK: () => {} })
      else if (!texts.some(text => text.id === event.id)) texts.push({ id: event.id, value: event.value, title: name })
    }
    return isRepeatable(event) && isThere
  })
  for (const { event } of settling)
    if (nodes.has(event.id) && !pending.some(later => later.event.id === event.id)) act(event)
  for (const sayAgain of hooks.restarted) sayAgain()
  for (const text of texts) {
    const field = nodes.get(text.id)
    if (field) write(field, text.value)
    else drafts.set(text.id, text)
  }
  sayDrafts()
}

// Texts that were being written in sheets which the app, not the user, has closed. They come back with their sheet.
const drafts = new Map()
const textFields = ":is(input[type=text], textarea)[data-input]:not([role=searchbox])"
const isWritten = field => field.base !== undefined && field.value !== field.base
const writings = node => [...node.querySelectorAll(`dialog ${textFields}`)].filter(isWritten).map(field => ({
  id: field.id, value: field.value, base: field.base,
  title: field.closest("dialog").querySelector("[role=heading]")?.textContent ?? field.getAttribute("aria-label") }))

function write(field, value) {
  field.base ??= field.getAttribute("value")
  field.value = value
  act({ kind: "input", id: field.id, value })
}

function keepDrafts(node) {
  const texts = writings(node).filter(({ id }) => nodes.get(id).closest("dialog").decision === undefined)
  for (const text of texts) drafts.set(text.id, text)
  if (texts.length) sayDrafts()
}

function sayDrafts() {
  const texts = () => [...drafts.values()]
  say("draft", drafts.size && `Kept for you: ${texts().map(({ title, value }) => `“${value}” (${title})`).join(", ")}. `
    + "It is there again when you open the sheet.", {
    Copy: () => { navigator.clipboard.writeText(texts().map(({ value }) => value).join("\n")); return true },
    Discard: () => drafts.clear(),
  })
}

function offerDrafts(node) {
  for (const field of node.querySelectorAll(textFields)) {
    const text = drafts.get(field.id)
    if (!text || text.base !== undefined && text.base !== field.value) continue
    drafts.delete(field.id)
    write(field, text.value)
    sayDrafts()
    mention("Your text is back.")
  }
}

// A page that is loaded again goes on with what waited here.
const kept = JSON.parse(sessionStorage.getItem("kept") ?? "null") ?? { texts: [] }
sessionStorage.removeItem("kept")
if (kept.run) {
  ({ run, pending, lastNumber } = kept)
  for (const text of kept.drafts) drafts.set(text.id, text)
}
addEventListener("pagehide", () => {
  const texts = writings(root)
  if (pending.length || drafts.size || texts.length)
    sessionStorage.setItem("kept", JSON.stringify({ run, pending, lastNumber, texts, drafts: [...drafts.values()] }))
})

// Says something for as long as it holds, or until the user has read it; an action that returns true leaves it.
function say(key, text, actions = {}) {
  let line = notice.querySelector(`[data-key=${key}]`)
  if (!text) {
    line?.remove()
  } else if (line) {
    if (line.firstChild.textContent !== text) line.firstChild.textContent = text
  } else {
    line = document.createElement("div")
    line.dataset.key = key
    line.append(document.createElement("span"), ...Object.entries(actions).map(([label, action]) => {
      const button = document.createElement("button")
      button.textContent = label
      button.onclick = () => { if (!action()) say(key) }
      return button
    }))
    notice.append(line)
    // Once it is there: what is new is announced.
    notice.togglePopover(true)
    line.firstChild.textContent = text
  }
  notice.togglePopover(notice.childElementCount > 0)
}

// A short remark, which goes by itself.
function mention(text) {
  say("remark", text)
  setTimeout(() => { if (notice.querySelector("[data-key=remark] span")?.textContent === text) say("remark") }, 8000)
}

// Has messages lie above the sheets, and be usable there: all that is outside of the topmost sheet is not.
function raise() {
  const home = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body
  if (notice.parentElement !== home) home.append(notice)
  for (const message of document.querySelectorAll("[popover]")) {
    if (root.contains(home) && !home.contains(message)) {
      // Its place is kept, as the app counts what is around it.
      message.placeholder ??= document.createElement("template")
      if (!message.placeholder.parentNode) message.replaceWith(message.placeholder)
      home.append(message)
    }
    message.togglePopover(false)
    message.togglePopover(message !== notice || message.childElementCount > 0)
  }
}

// Has messages go back from where they were raised to: they outlive the sheet that they are in.
function lower(node) {
  if (node.contains(notice)) document.body.append(notice)
  for (const message of node.querySelectorAll(".messages")) message.placeholder?.replaceWith(message)
}

const focusable = "button:not(:disabled), input, [tabindex='0']"

// What has the focus keeps it. When it is gone and nothing else has taken the focus, that goes to the view
// in place of its own, or else to the nearest control.
function keepingFocus(change) {
  const focused = document.activeElement
  if (!root.contains(focused)) return change()
  const panel = focused.closest("[role=tabpanel]"), wasInside = root.querySelector("[data-back]")
  const all = [...(focused.closest("dialog") ?? root).querySelectorAll(focusable)], index = all.indexOf(focused)
  change()
  if (!wasInside && root.querySelector("[data-back]")) scrolls.set("left", focused.id)
  const hasNone = () => document.activeElement === document.body
  if (hasNone()) nodes.get(focused.id)?.focus()
  if (!hasNone()) return
  const near = [...all.slice(index + 1), ...all.slice(0, Math.max(0, index)).reverse()].find(node => node.isConnected)
  if (near && panel?.isConnected !== false) return near.focus({ preventScroll: true })
  const view = root.querySelector("[role=tabpanel]") ?? root
  view.focus({ preventScroll: true })
  if (!root.querySelector("[data-count]")) scrollTo(0, 0)
}

// Makes a node's children what the app says, and keeps those that are there: a drag or a text in them goes on.
function reconcile(parent, elements) {
  const ids = new Set(elements.map(({ id }) => id))
  for (const child of [...parent.children]) if (nodes.has(child.id) && !ids.has(child.id)) remove(child)
  elements.forEach((element, index) => {
    const node = nodes.get(element.id)
    const { tag = "div", attributes = {}, style, text, children = [] } = element
    if (node?.parentElement !== parent || node.localName !== tag) {
      if (node) remove(node)
      return insert(element, parent, index)
    }
    if (parent.children[index] !== node) parent.insertBefore(node, parent.children[index])
    const changes = node.getAttributeNames().filter(name => !(name in attributes) && !pageAttributes.has(name))
      .map(name => [name, null])
    for (const [name, value] of Object.entries(attributes))
      if (node.getAttribute(name) !== value) changes.push([name, value])
    node.style.cssText = ""
    set(node, { attributes: Object.fromEntries(changes), style,
      text: node.childElementCount || node.dataset.timer || node.textContent === (text ?? "") ? undefined : text ?? "" })
    for (const complete of hooks.reconciled) complete(node)
    reconcile(node, children)
  })
}

// What the page itself says about elements.
const pageAttributes = new Set(["id", "style", "open", "data-edited", "aria-labelledby"])

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
  for (const complete of hooks.reconciled) complete(node)
}

function insert(element, parent, index) {
  const node = make(element)
  parent.insertBefore(node, parent.children[index] ?? null)
  if (parent.isConnected) shown(node)
}

function remove(node) {
  forget(node)
  node.placeholder?.remove()
  node.remove()
  if (node.tagName === "DIALOG") raise()
}

function forget(node) {
  keepDrafts(node)
  if (node.tagName === "DIALOG") node.close()
  lower(node)
  for (const child of [node, ...node.querySelectorAll("[id]")]) {
    nodes.delete(child.id)
    for (const letGo of hooks.removed) letGo(child)
  }
}

function apply(envelope) {
  const [[kind, patch]] = Object.entries(envelope), node = nodes.get(patch.id)
  switch (kind) {
    case "set": set(node, patch); break
    case "insert": insert(patch.element, nodes.get(patch.parent), patch.index); break
    case "remove": remove(node); break
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
  const target = event.target.closest("[data-tap]")
  // A double tap asks for the second of two clicks; the keyboard's click counts as any number.
  const count = Number(target?.dataset.tap || 1)
  if (!target || event.detail % count) return
  const tap = { kind: "tap", id: target.id }
  if ("cancel" in target.dataset) leave(target.closest("dialog"), tap)
  else act(tap)
})

root.addEventListener("keydown", event => {
  const target = event.target
  if (target.getAttribute("role") === "button" && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault()
    target.click()
    return
  }
  // Arrow keys go along the tools of a bar, and along tabs, which they choose.
  const items = [...target.closest("[role=tablist], [role=toolbar]")?.querySelectorAll("button:enabled, a, [type=file]") ?? []]
  const index = items.indexOf(target)
  const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: items.length - 1 }[event.key]
  if (index < 0 || next === undefined) return
  event.preventDefault()
  const item = items[(next + items.length) % items.length]
  item.focus()
  if (item.role === "tab") item.click()
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
  sessionStorage.removeItem("kept")
  tellPhase()
})

const tellSize = () => send({ kind: "size", width: innerWidth, height: innerHeight })
addEventListener("resize", tellSize)
for (const [event, inside] of [["mouseenter", true], ["mouseleave", false]])
  document.documentElement.addEventListener(event, () => send({ kind: "pointer", inside }))

addEventListener("hashchange", takeToken)
addEventListener("DOMContentLoaded", () => { takeToken(); connect(); sayDrafts() })
