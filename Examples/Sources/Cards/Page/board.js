// What is on a board: showing it where it is, moving, resizing and turning it, and pictures of the whole.
"use strict"

repeatable.place = "moved"
attributeHooks["data-place"] = (node, value) => { if (value !== null) place(node, value) }
attributeHooks["data-selected"] = node => showHandles(node)
hooks.shown.push(all => {
  for (const drawing of all("svg.fitted")) fit(drawing)
  for (const selected of all("[data-selected]")) showHandles(selected)
  // A sheet gives the keyboard to its first control, which may be one that the tab key would not go to.
  for (const group of all("dialog [role=radiogroup]"))
    if (group.contains(document.activeElement)) group.querySelector("[tabindex='0']").focus()
})
hooks.reconciled.push(node => {
  if (node.shownPlace) show(node, node.shownPlace)
  if (node.tagName === "text" && node.isConnected) fit(node.parentElement)
})
document.body.append(Object.assign(document.createElement("p"), { id: "movable-help", hidden: true,
  textContent: "Arrow keys move it, plus and minus resize it, brackets turn it, with Shift in small steps. Enter edits it, "
    + "Delete removes it, Escape leaves it." }))

// The letters of a text are as large as its room allows, at every size.
function fit(drawing) {
  const box = drawing.firstElementChild.getBBox()
  if (box.width && box.height) drawing.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`)
}

const sendInterval = 50
const names = ["--w", "--h", "--x", "--y", "--r"]
// Held by the user, or not yet acknowledged: what the app says of these places is older than what is shown.
const held = new Map()
let grip, lastKey = {}

const handles = document.createElement("div")
handles.className = "handles"
handles.append(...["nw", "ne", "sw", "se", "turn"].map(name => {
  const handle = document.createElement("div")
  handle.className = `handle ${name}`
  handle.dataset.handle = name
  return handle
}))

const unitsPerPixel = board => board.dataset.width / board.getBoundingClientRect().width

// The place as it is kept: of a box, the height that was chosen for it, and not the one that its lines need.
const chosenPlace = node => node.shownPlace.split(" ").map(Number)

// The place as it is shown: a box that is lower than the lines of its text has grown.
function numbers(node) {
  const [w, h, ...others] = chosenPlace(node), unit = unitsPerPixel(node.closest(".board"))
  const shown = node.querySelector(".wrapped") ? node.offsetHeight * unit : 0
  return [w, shown > h + 2 * unit ? shown : h, ...others]
}

function place(node, text) {
  if (held.has(node)) held.get(node).latest = text
  else show(node, text)
  // What the app changes later, as by an undo, is not to be changed back.
  if (recent.get(node.id)?.event.text !== text) recent.delete(node.id)
}

function show(node, text) {
  node.shownPlace = text
  text.split(" ").forEach((number, index) => node.style.setProperty(names[index], number))
  if (handles.node === node) placeHandles()
}

// The handles lie above the board, so that nothing covers them and they are not cut off with it.
function showHandles(node) {
  if (!node.isConnected) return
  if (node.hasAttribute("data-selected")) {
    handles.node = node
    node.closest(".board").append(handles)
    placeHandles()
  } else if (handles.node === node) {
    hideHandles()
  }
}

// What of the board's window no bar covers, with room for half a handle.
function view() {
  const side = (bar, name, otherwise) => root.querySelector(`.toolbar.${bar}`)?.getBoundingClientRect()[name] ?? otherwise
  return { left: 14, right: document.body.clientWidth - 14,
    top: Math.max(0, side("top", "bottom", 0)) + 14,
    bottom: Math.min(innerHeight, side("bottom", "top", innerHeight)) - 14 }
}

const fingerWidth = 44, turnDistance = 26

// Of an element that is partly in view, the handles are as well: those that would not be are at the edge.
function placeHandles() {
  const { node } = handles, board = node?.closest(".board")
  if (!board) return
  const [w, h, x, y, r] = numbers(node), unit = unitsPerPixel(board), box = board.getBoundingClientRect()
  handles.style.cssText = node.style.cssText
  handles.style.setProperty("--h", h)
  const { left, right, top, bottom } = view()
  const places = [...handles.children].map(({ dataset: { handle: name } }) => {
    const at = name === "turn" ? { x: 0, y: h / 2 + turnDistance * unit }
      : { x: name.includes("w") ? -w / 2 : w / 2, y: name.includes("n") ? -h / 2 : h / 2 }
    const from = turned(at, r)
    return { x: box.x + box.width / 2 + (x + from.x) / unit, y: box.y + box.height / 2 + (y + from.y) / unit }
  })
  const isOutside = [place => place.x < left, place => place.x > right, place => place.y < top, place => place.y > bottom]
    .some(isBeyond => places.every(isBeyond))
  const middle = { x: box.x + box.width / 2 + x / unit, y: box.y + box.height / 2 + y / unit }
  const inView = place => ({ x: Math.max(left, Math.min(place.x, right)), y: Math.max(top, Math.min(place.y, bottom)) })
  const shownPlaces = places.map(place => isOutside ? place : inView(place))
  const turn = shownPlaces.pop()
  shownPlaces.push(shownPlaces.some(other => between(other, turn) < turnDistance - 1) ? apart(turn) : turn)
  // The turn handle at the nearest place that is a finger's width from the others.
  function apart(place) {
    const steps = [-3, -2, -1, 0, 1, 2, 3].map(step => step * fingerWidth)
    return steps.flatMap(x => steps.map(y => inView({ x: place.x + x, y: place.y + y })))
      .filter(at => shownPlaces.every(other => between(at, other) > fingerWidth - 1))
      .reduce((best, at) => !best || between(at, place) < between(best, place) ? at : best, undefined) ?? place
  }
  shownPlaces.forEach((shown, index) => {
    const inside = turned({ x: shown.x - middle.x, y: shown.y - middle.y }, -r)
    Object.assign(handles.children[index].style, { left: `${inside.x + w / unit / 2}px`, top: `${inside.y + h / unit / 2}px` })
  })
}
for (const kind of ["scroll", "resize"]) addEventListener(kind, placeHandles, { passive: true })
new ResizeObserver(placeHandles).observe(handles)

function hideHandles() {
  handles.node = undefined
  handles.remove()
}

new MutationObserver(() => {
  if (handles.node && !handles.node.isConnected) hideHandles()
}).observe(root, { childList: true, subtree: true })

const hint = Object.assign(document.createElement("p"), { className: "cut" })
hint.setAttribute("role", "status")

// Says which texts are cut off at the edge of the card that is worked on, as a picture of it shows them, too.
function sayWhatIsCut() {
  const board = root.querySelector(".board.large")
  if (!board) return
  if (hint.parentElement !== board) board.append(hint)
  const names = [...board.querySelectorAll("[data-movable]")].filter(isCut).map(node => node.textContent.trim())
    .map(text => `“${text.length > 30 ? `${text.slice(0, 30).trim()}…` : text}”`)
  const text = names.length ? `${names.join(", ")} ${names.length > 1 ? "are" : "is"} cut off at the edge of the card.` : ""
  if (hint.textContent !== text) hint.textContent = text
}
hooks.changed.push(sayWhatIsCut)

// Whether letters of a text lie beside the card: its lines are measured as they are before they are turned.
function isCut(node) {
  const text = node.querySelector(".wrapped, .fitted text")
  if (!text || !node.shownPlace) return false
  const [, , x, y, r] = chosenPlace(node), board = node.closest(".board"), unit = unitsPerPixel(board)
  const { width, height } = board.dataset, range = document.createRange()
  range.selectNodeContents(text)
  node.style.setProperty("--r", 0)
  const box = node.getBoundingClientRect(), lines = [...range.getClientRects()]
  node.style.setProperty("--r", r)
  // A line is higher than its letters.
  return lines.some(({ left, right, top, bottom }) => [left, right].some(across => [.2, .8].some(part => {
    const from = { x: across - box.x - box.width / 2, y: top + (bottom - top) * part - box.y - box.height / 2 }
    const at = turned({ x: from.x * unit, y: from.y * unit }, r)
    return Math.abs(x + at.x) > width / 2 + 2 || Math.abs(y + at.y) > height / 2 + 2
  })))
}

const smallestSide = 20

// A size of the same form: both sides end where one of them is as small, or as large, as it may be. Twice the board
// is enough to cover it with a picture of any usual form, and its handles are not far.
function scaled(node, [w, h], factor) {
  const { width, height } = node.closest(".board").dataset, largestSide = 2 * Math.max(width, height)
  const least = Math.min(1, smallestSide / Math.min(w, h)), most = Math.max(1, largestSide / Math.max(w, h))
  const limited = Math.min(Math.max(factor, least), most)
  return [w * limited, h * limited]
}

// A size as it is shown: a text whose letters have a size has a box that is as high as its lines are at a width.
function roomy(node, [w, h]) {
  if (!node.querySelector(".wrapped")) return [w, h]
  node.style.setProperty("--w", w)
  node.style.setProperty("--h", 0)
  return [w, Math.max(h, node.offsetHeight * unitsPerPixel(node.closest(".board")))]
}

function change(node, numbers, isFirst) {
  const [w, h, x, y, r] = numbers
  const degrees = ((r + 180) % 360 + 360) % 360 - 180
  // What has its middle on the board can always be taken hold of again.
  const { width, height } = node.closest(".board").dataset
  const within = (number, side) => Math.min(Math.max(number, -side / 2), side / 2)
  const text = [Math.max(smallestSide, w), Math.max(smallestSide, h), within(x, width), within(y, height), degrees]
    .map(number => Math.round(number * 100) / 100).join(" ")
  // What changes nothing is not sent: the movement begins with what does.
  const hold = held.get(node) ?? { sent: node.shownPlace }
  hold.isFirst ||= isFirst
  held.set(node, hold)
  show(node, text)
  hold.sender ??= setTimeout(() => tell(node), Math.max(0, (hold.sentAt ?? 0) + sendInterval - performance.now()))
}

function tell(node) {
  const hold = held.get(node)
  if (!hold) return
  clearTimeout(hold.sender)
  hold.sender = undefined
  if (hold.sent !== node.shownPlace) {
    hold.sent = node.shownPlace
    hold.sentAt = performance.now()
    hold.number = act({ kind: "place", id: node.id, numbers: chosenPlace(node), text: node.shownPlace, first: hold.isFirst })
    hold.isFirst = false
  }
}

// Of what the app has acknowledged the last change of, it says the place again.
hooks.acknowledged.push(releaseHeld)
function releaseHeld() {
  for (const [node, hold] of held) {
    if (grip?.node === node || hold.sender || hold.number > acknowledged) continue
    held.delete(node)
    if (hold.latest) show(node, hold.latest)
  }
}

// An app that was started again has not heard where what is held was moved.
hooks.restarted.push(() => {
  for (const [node, hold] of held) {
    hold.sent = undefined
    tell(node)
  }
})

// An element is gone, also from under the pointer that holds it.
hooks.removed.push(node => {
  // The keyboard stays with the board: on another element, the next key would be for that.
  if (document.activeElement === node) root.querySelector(".board.large .surface")?.focus({ preventScroll: true })
  held.delete(node)
  if (grip?.node === node) grip = undefined
})

const turned = ({ x, y }, degrees) => {
  const angle = degrees * Math.PI / 180, cos = Math.cos(angle), sin = Math.sin(angle)
  return { x: x * cos - y * sin, y: x * sin + y * cos }
}
const middle = (a, b) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })
const between = (a, b) => Math.hypot(a.x - b.x, a.y - b.y)
const direction = (a, b) => Math.atan2(b.y - a.y, b.x - a.x) * 180 / Math.PI

// A pointer in the board's units, from the board's middle.
function onBoard(event, board = grip.board) {
  const box = board.getBoundingClientRect(), scale = unitsPerPixel(board)
  return { x: (event.clientX - box.x - box.width / 2) * scale, y: (event.clientY - box.y - box.height / 2) * scale }
}

function begin() {
  grip.place ??= grip.node.shownPlace
  grip.start = numbers(grip.node)
  grip.height = chosenPlace(grip.node)[1]
  grip.from = new Map([...grip.pointers])
}

// Whether it is the second press of a double click, of which the first has taken away what it was for.
const isLate = ({ timeStamp, clientX: x, clientY: y }) => clicked.node?.isConnected === false
  && timeStamp - clicked.event.timeStamp < 500 && between({ x, y }, { x: clicked.event.clientX, y: clicked.event.clientY }) < 10

root.addEventListener("pointerdown", event => {
  if (isLate(event)) return event.preventDefault()
  const handle = event.target.closest("[data-handle]")
  const node = handle ? handles.node : event.target.closest("[data-movable]")
  if (!node || event.button !== 0 || grip && grip.node !== node) return
  event.preventDefault()
  node.focus({ preventScroll: true })
  grip ??= { node, board: node.closest(".board"), mode: handle?.dataset.handle ?? "move", pointers: new Map(), isNew: true }
  lastKey = {}
  grip.pointers.set(event.pointerId, onBoard(event))
  ;(handle ?? node).setPointerCapture(event.pointerId)
  begin()
})

root.addEventListener("pointermove", event => {
  if (!grip?.pointers.has(event.pointerId)) return
  grip.pointers.set(event.pointerId, onBoard(event))
  const [w, h, x, y, r] = grip.start, { isNew, height: chosen } = grip
  grip.isNew = false
  const [first, second] = [...grip.pointers.values()], [from, otherFrom] = [...grip.from.values()]
  if (second) {
    const factor = between(first, second) / Math.max(1, between(from, otherFrom))
    const to = middle(first, second), start = middle(from, otherFrom)
    const turn = direction(first, second) - direction(from, otherFrom)
    return change(grip.node, [...scaled(grip.node, [w, chosen], factor), x + to.x - start.x, y + to.y - start.y, r + turn], isNew)
  }
  if (grip.mode === "move") return change(grip.node, [w, chosen, x + first.x - from.x, y + first.y - from.y, r], isNew)
  if (grip.mode === "turn") {
    const degrees = r + direction({ x, y }, first) - direction({ x, y }, from)
    const step = event.shiftKey ? 15 : 45, near = Math.round(degrees / step) * step
    return change(grip.node, [w, chosen, x, y, event.shiftKey || Math.abs(degrees - near) < 3 ? near : degrees], isNew)
  }
  // A corner moves, the one across from it stays.
  const across = grip.mode.includes("w") ? -1 : 1, down = grip.mode.includes("n") ? -1 : 1
  const anchor = turned({ x: -across * w / 2, y: -down * h / 2 }, r)
  const moved = turned({ x: first.x - from.x, y: first.y - from.y }, -r)
  const [toWidth, toHeight] = [w + moved.x * across, h + moved.y * down]
  const [width, height] = event.shiftKey
    ? [scaled(grip.node, [w, w], toWidth / w)[0], scaled(grip.node, [h, h], toHeight / h)[0]]
    : scaled(grip.node, [w, h], Math.max(toWidth / w, toHeight / h))
  const shown = roomy(grip.node, [width, height])[1]
  const half = turned({ x: across * width / 2, y: down * shown / 2 }, r)
  // What the lines need anyway is no height that was chosen.
  change(grip.node, [width, shown > height ? Math.min(height, chosen) : height, x + anchor.x + half.x, y + anchor.y + half.y, r], isNew)
})

for (const end of ["pointerup", "pointercancel"]) root.addEventListener(end, event => {
  if (!grip?.pointers.delete(event.pointerId)) return
  if (grip.pointers.size) return begin()
  const { node } = grip
  grip = undefined
  tell(node)
  releaseHeld()
})

// It is chosen as soon as it is touched, and not the board by the click.
root.addEventListener("click", event => {
  if (event.target.closest("[data-movable]")) event.stopImmediatePropagation()
}, true)

root.addEventListener("dblclick", event => {
  const node = event.target.closest("[data-movable]")
  if (node && clicked.node === tapped(event)) send({ kind: "edit", id: node.id })
})

// Whether the app has yet to answer what was done with something that is still there.
const isPending = () => pending.some(({ event }) => nodes.has(event.id))

root.addEventListener("focusin", ({ target }) => {
  // Later, as a sheet that closes gives the keyboard back before the app's choice is known.
  if (target.matches("[data-movable]")) queueMicrotask(() => {
    const isChosen = handles.node === target && !isPending()
    if (isOnline && document.activeElement === target && !isChosen) act({ kind: "tap", id: target.id })
  })
})

// The tab key comes back to where arrow keys have gone in a group, also where they choose nothing.
root.addEventListener("keydown", () => {
  const { activeElement } = document, group = activeElement.closest("[role=radiogroup]")
  for (const radio of group?.querySelectorAll("[role=radio]") ?? []) radio.tabIndex = radio === activeElement ? 0 : -1
})

// A tool that is clicked leaves the keyboard to what is on the board.
root.addEventListener("mousedown", event => {
  if (event.target.closest("[role=toolbar] button") && root.querySelector(".board.large")) event.preventDefault()
})

// The tile of the card that was left, added or brought back last has the keyboard, once it is there; not again where
// only the page is loaded again, and not where the user has scrolled on meanwhile.
let shownCard
for (const kind of ["wheel", "touchmove"])
  addEventListener(kind, () => { if (shownCard) shownCard.isDone = true }, { passive: true })
hooks.changed.push(async () => {
  const grid = root.querySelector("[data-shown]"), { shown, place } = grid?.dataset ?? {}
  shownCard ??= { shown, isDone: true }
  if (shown && shown !== shownCard.shown) shownCard = { shown, isDone: false }
  if (!grid || shownCard.isDone) return
  const [card] = shown.split(" "), tile = grid.querySelector(`[data-opens="${card}"]`)
  if (!tile) {
    // It is made once its place is in view.
    const columns = getComputedStyle(grid).gridTemplateColumns.split(" ").length, { rowHeight = 0 } = grid
    const top = grid.getBoundingClientRect().top + Math.floor(place / columns) * rowHeight
    if (top + rowHeight < 0 || top > innerHeight) scrollBy(0, top + (rowHeight - innerHeight) / 2)
    return
  }
  if (tile === shownCard.tile) return
  const current = Object.assign(shownCard, { tile })
  // A search that would hide it is over, also where that is being typed.
  for (const field of root.querySelectorAll("[role=searchbox]")) field.value = field.getAttribute("value") ?? ""
  tile.focus({ preventScroll: true })
  // Once the others are where they stay. If it is not near what is in view, it is made again.
  await Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
  requestAnimationFrame(() => {
    if (tile === document.activeElement && !current.isDone) tile.scrollIntoView({ block: "nearest" })
    setTimeout(() => { current.isDone ||= tile.isConnected }, 500)
  })
})

// The list can be scrolled until what is said lies on none of it.
const said = new ResizeObserver(() => {
  const height = root.querySelector(".messages")?.offsetHeight ?? 0
  root.style.setProperty("--said", `${height && height + 24}px`)
})
hooks.shown.push(all => { for (const messages of all(".messages")) said.observe(messages) })

// What the app has chosen has the keyboard, unless that is on a tool, or the user has gone on meanwhile.
hooks.changed.push(() => {
  placeHandles()
  const node = handles.node, { activeElement } = document
  if (isPending() || node === handles.followed) return
  handles.followed = node
  if (node && (activeElement === document.body || activeElement.matches("#root, .surface, [data-movable]")))
    node.focus({ preventScroll: true })
})

// Keys are for the chosen element also while a tool has the keyboard, as far as the tool does not need them itself.
addEventListener("keydown", event => {
  const { target } = event, isOwn = target.matches("[data-movable]")
  const node = isOwn ? target : handles.node
  if (!node || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
  if (document.querySelector("dialog[open]") || target.matches("input:not([type=file]), textarea, select")) return
  if (event.key === "Enter" && !isOwn && !target.matches("body, #root, .surface")) return
  const [w, h, x, y, r] = chosenPlace(node), step = event.shiftKey ? 1 : 20
  const factor = { "+": 1.05, "=": 1.05, "-": 1 / 1.05, "_": 1 / 1.05 }[event.key]
  const next = factor ? [...scaled(node, [w, h], factor), x, y, r] : {
    ArrowLeft: [w, h, x - step, y, r], ArrowRight: [w, h, x + step, y, r],
    ArrowUp: [w, h, x, y - step, r], ArrowDown: [w, h, x, y + step, r],
    "[": [w, h, x, y, r - 5], "]": [w, h, x, y, r + 5], "{": [w, h, x, y, r - 1], "}": [w, h, x, y, r + 1],
  }[event.key]
  if (next) {
    // Keys that follow each other at once are one movement, once one of them has moved it.
    const { shownPlace } = node
    change(node, next, !event.repeat && !(lastKey.node === node && event.timeStamp - lastKey.time < 1000))
    if (node.shownPlace !== shownPlace) lastKey = { node, time: event.timeStamp }
  } else if (event.key === "Enter") {
    send({ kind: "edit", id: node.id })
  } else if (event.key === "Delete" || event.key === "Backspace") {
    act({ kind: "delete", id: node.id })
  } else if (event.key === "Escape" && grip?.node === node) {
    show(node, grip.place)
    grip = undefined
    tell(node)
    releaseHeld()
  } else if (event.key === "Escape") {
    node.blur()
    if (isOnline) act({ kind: "tap", id: node.closest(".surface").id })
  } else {
    return
  }
  event.preventDefault()
})

// A picture of what a board shows: the page's own elements and styles, in a drawing that needs nothing from elsewhere.
async function picture(board, pixels) {
  const { width, height } = board.dataset
  const page = document.createElement("div"), style = document.createElement("style")
  style.textContent = [...document.styleSheets].flatMap(sheet => [...sheet.cssRules]).map(rule => rule.cssText).join("\n")
  const surface = board.querySelector(".surface").cloneNode(true)
  Object.assign(surface.style, { borderRadius: 0, boxShadow: "none" })
  page.style.cssText = `--unit: 1px; position: relative; width: ${width}px; height: ${height}px`
  page.append(style, surface)
  for (const image of page.querySelectorAll("img:not(.missing)")) {
    const reader = new FileReader()
    reader.readAsDataURL(await (await fetch(image.src)).blob())
    await new Promise(resolve => { reader.onload = resolve })
    image.src = reader.result
  }
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><foreignObject width="100%" height="100%">${
    new XMLSerializer().serializeToString(page)}</foreignObject></svg>`
  const image = new Image(), scale = pixels ? pixels / width : 1
  const canvas = Object.assign(document.createElement("canvas"), { width: width * scale, height: height * scale })
  image.src = `data:image/svg+xml,${encodeURIComponent(drawing)}`
  await image.decode()
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise(resolve => canvas.toBlob(resolve, pixels ? "image/webp" : "image/png", .85))
}

root.addEventListener("click", async event => {
  const link = event.target.closest("[data-picture]")
  if (!link) return
  event.preventDefault()
  try {
    const href = URL.createObjectURL(await picture(root.querySelector(".board.large")))
    Object.assign(document.createElement("a"), { href, download: link.dataset.picture }).click()
    URL.revokeObjectURL(href)
  } catch {
    mention("This browser cannot make a picture of the card.")
  }
})

// Draws boards of which the app wants a picture, one after the other, while the user does nothing else.
const drawingDelay = 1500
let drawing
function drawLater() {
  clearTimeout(drawing)
  drawing = setTimeout(drawNext, drawingDelay)
}
async function drawNext() {
  const board = [...root.querySelectorAll("[data-draw]")].find(node => node.drawn !== node.dataset.draw)
  if (!board || !isOnline || document.hidden) return
  const version = board.drawn = board.dataset.draw
  try {
    const body = await picture(board, 400)
    if (board.dataset.draw === version)
      await post(board.id, { upload: crypto.randomUUID(), kind: "image", width: 1, height: 1 }, body)
  } catch { /* It is shown as it is, and drawn when it is shown again. */ }
  drawing = setTimeout(() => requestIdleCallback(drawNext), 50)
}
hooks.changed.push(drawLater)
addEventListener("scroll", drawLater, { passive: true })
