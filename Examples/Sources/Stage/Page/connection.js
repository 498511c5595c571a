// The connection to the app: what it says, and what it is told that the user does, also after it was away.
"use strict"

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
let pending = [], lastNumber = 0, sent = 0, acknowledged = 0, run, openView
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
  openView = root.querySelector("[data-back]")?.id
  if (drafts.size || notice.querySelector("[data-key=draft]")) sayDrafts()
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
}

// Texts that were being written in sheets which the app, not the user, has closed. They come back with their sheet.
const drafts = new Map()
const textFields = ":is(input[type=text], textarea)[data-input]:not([role=searchbox])"
const isWritten = field => field.base !== undefined && field.value !== field.base
const writings = node => [...node.querySelectorAll(`dialog ${textFields}`)].filter(isWritten).map(field => ({
  id: field.id, value: field.value, base: field.base, view: openView,
  title: `${field.closest("dialog").querySelector("[role=heading]")?.textContent ?? field.ariaLabel}, “${document.title}”` }))

function write(field, value) {
  field.base ??= field.getAttribute("value")
  field.value = value
  act({ kind: "input", id: field.id, value })
}

function keepDrafts(node) {
  for (const text of writings(node))
    if (nodes.get(text.id).closest("dialog").decision === undefined) drafts.set(text.id, text)
}

// In their own view and where that is opened, with room for what is said, so that it covers nothing.
function sayDrafts() {
  const texts = () => [...drafts.values()].filter(text => !openView || text.view === openView)
  const said = texts().map(({ title, value }) => `“${value.slice(0, 60)}${value.length > 60 ? "…" : ""}” (${title})`)
  say("draft", said.length && `Kept for you: ${said.join(", ")}. It is there again when you open the sheet.`, {
    Copy: () => { navigator.clipboard.writeText(texts().map(({ value }) => value).join("\n")); return true },
    Discard: () => { texts().forEach(({ id }) => drafts.delete(id)); sayDrafts() },
  })
  root.style.setProperty("--kept", `${notice.querySelector("[data-key=draft]")?.offsetHeight ?? 0}px`)
}

function offerDrafts(node) {
  for (const field of node.querySelectorAll(textFields)) {
    const text = drafts.get(field.id)
    if (!text || ![undefined, field.value].includes(text.base) && text.value !== field.value) continue
    drafts.delete(field.id)
    write(field, text.value)
    mention("Your text is back.", "returned")
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

// A page that is being left is hidden after it said so, which is not to take that back.
let isLeaving = false
const tellPhase = () => { if (!isLeaving) send({ kind: "phase", phase: currentPhase() }) }
for (const event of ["focus", "blur"]) addEventListener(event, tellPhase)
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
