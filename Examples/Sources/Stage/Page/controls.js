// Fields, sheets, images and texts that fill their room.
"use strict"

const appTitle = document.title

// What an attribute means besides itself.
const attributeHooks = {
  // What the user is writing is newer than what the app repeats.
  value: (node, value) => {
    if (recent.get(node.id)?.event.value !== value) recent.delete(node.id)
    if (document.activeElement !== node || !node.dataset.edited) node.value = value ?? ""
  },
  selected: (node, value) => { node.selected = value !== null },
  src: node => node.classList.remove("missing"),
  "data-place": (node, value) => { if (value !== null) place(node, value) },
  "data-selected": node => showHandles(node),
  "data-timer": (node, value) => count(node, value),
}

// Shows how much of an interval is left, each second until it is over, or the node shows another one.
function count(node, interval) {
  if (!interval || nodes.get(node.id) !== node || node.dataset.timer !== interval) return
  const [start, end] = interval.split(" ").map(Number)
  const left = Math.max(0, Math.min(end - Date.now(), end - start)), seconds = Math.ceil(left / 1000)
  node.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
  if (left) setTimeout(count, left % 1000 || 1000, node, interval)
}

// Completes what is new on the page.
function shown(node) {
  const all = selector => node.matches(selector) ? [node] : node.querySelectorAll(selector)
  for (const drawing of all("svg.fitted")) fit(drawing)
  for (const dialog of all("dialog")) {
    const heading = dialog.querySelector("[role=heading]")
    if (heading) dialog.setAttribute("aria-labelledby", heading.id)
    dialog.showModal()
  }
  if (all("dialog, [popover]").length) raise()
  for (const grid of all("[data-count]")) showGrid(grid)
  offerDrafts(node)
  for (const selected of all("[data-selected]")) showHandles(selected)
}

// The letters of a text are as large as its room allows, at every size.
function fit(drawing) {
  const box = drawing.firstElementChild.getBBox()
  if (box.width && box.height) drawing.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`)
}

root.addEventListener("input", event => {
  const field = event.target
  if (!field.matches("[data-input]")) return
  field.dataset.edited = "true"
  field.base ??= field.getAttribute("value")
  act({ kind: "input", id: field.id, value: field.value })
})

root.addEventListener("focusout", event => delete event.target.dataset.edited)

root.addEventListener("keydown", event => {
  if (event.key === "Enter" && !event.isComposing && event.target.matches("[data-submit]")
    && (event.target.tagName !== "TEXTAREA" || event.ctrlKey || event.metaKey)) {
    event.preventDefault()
    act({ kind: "tap", id: event.target.id })
  }
})

addEventListener("keydown", event => {
  if (!(event.ctrlKey || event.metaKey)) return
  const isWriting = event.target.matches("input, textarea")
  const key = event.shiftKey ? event.key.toUpperCase() : event.key.toLowerCase()
  const target = [...root.querySelectorAll("[data-shortcut]")].find(node =>
    node.dataset.shortcut.includes(key) && (!isWriting || "takesFocus" in node.dataset))
  if (!target) return
  event.preventDefault()
  target.click()
  if ("takesFocus" in target.dataset) target.focus()
})

// The app takes a sheet away; the page only asks it to, and the user before that if a text would be lost.
let isAsking = false
async function mayDiscard() {
  if (isAsking) return false
  isAsking = true
  const dialog = document.getElementById("question").content.firstElementChild.cloneNode(true)
  document.body.append(dialog)
  dialog.showModal()
  raise()
  for (const button of dialog.querySelectorAll("button")) button.onclick = () => dialog.close(button.value)
  await new Promise(resolve => dialog.onclose = resolve)
  if (dialog.contains(notice)) document.body.append(notice)
  dialog.remove()
  raise()
  isAsking = false
  return dialog.returnValue === "discard"
}

async function leave(dialog, event) {
  if (!dialog || !isOnline || !writings(dialog).length || await mayDiscard()) act(event)
}
const dismiss = dialog => leave(dialog, { kind: "dismiss", id: dialog.id })

root.addEventListener("cancel", event => {
  if (event.target.tagName !== "DIALOG") return
  event.preventDefault()
  if (event.cancelable) dismiss(event.target)
}, true)
// A browser closes by itself what the escape key asks it to close twice.
root.addEventListener("close", event => {
  const dialog = event.target
  if (nodes.get(dialog.id) !== dialog) return
  dialog.showModal()
  raise()
  dismiss(dialog)
}, true)

const contains = (node, { clientX: x, clientY: y }) => {
  const box = node.getBoundingClientRect()
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom
}
const isBeside = event => event.target.tagName === "DIALOG"
  && ![event.target, ...document.querySelectorAll(":popover-open > *")].some(node => contains(node, event))
let pressedBeside
root.addEventListener("pointerdown", event => { pressedBeside = isBeside(event) && event.target })
root.addEventListener("pointerup", event => {
  if (pressedBeside === event.target && isBeside(event)) dismiss(event.target)
  pressedBeside = undefined
})

root.addEventListener("error", ({ target }) => {
  target.classList.add("missing")
  target.alt = target.dataset.missing ?? target.alt
}, true)

// Images.
const maximumSide = 2000, maximumBytes = 16 << 20, maximumFile = 100 << 20, maximumOther = 64 << 20, maximumPixels = 100_000_000

// An image larger than any card needs is made smaller here, where there is a decoder for it.
async function prepared(file) {
  const refuse = reason => { throw new Error(`“${file.name}” ${reason}`) }
  if (file.size > maximumFile) refuse(`has ${number(file.size >> 20)} MB; a picture may have ${maximumFile >> 20}.`)
  const start = await file.slice(0, 12).arrayBuffer().catch(() => refuse("cannot be read."))
  if (!/^(\x89PNG|\xff\xd8\xff|GIF8|RIFF....WEBP)/s.test(String.fromCharCode(...new Uint8Array(start))))
    refuse("is no picture of a kind that can be added: PNG, JPEG, GIF or WebP.")
  // An image element knows the size before anything is decoded, which could take minutes and all memory.
  const image = new Image()
  const { naturalWidth, naturalHeight } = await new Promise((resolve, reject) => {
    image.onload = () => resolve(image)
    image.onerror = reject
    image.src = URL.createObjectURL(file)
  }).catch(() => refuse("cannot be shown: it is damaged or far too large."))
    .finally(() => URL.revokeObjectURL(image.src))
  if (naturalWidth * naturalHeight > maximumPixels)
    refuse(`has ${number(naturalWidth)} × ${number(naturalHeight)} pixels, which is too large. Make it smaller first.`)
  const bitmap = await createImageBitmap(file).catch(() => refuse("cannot be shown: it is damaged or far too large."))
  const { width, height } = bitmap
  const scale = Math.min(1, maximumSide / Math.max(width, height))
  // Its bytes, as the file may be gone when they are sent again.
  if (scale === 1 && file.size <= maximumBytes) return { body: new Blob([await file.arrayBuffer()]), width, height }
  const canvas = document.createElement("canvas")
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  const type = file.type === "image/jpeg" ? "image/jpeg" : "image/png"
  const body = await new Promise(resolve => canvas.toBlob(resolve, type, 0.9))
  if (body.size > maximumBytes) refuse("is too large.")
  return { body, width: canvas.width, height: canvas.height }
}

// Sends something that the user chose to the app.
const post = (id, query, body, onProgress) => new Promise((resolve, reject) => {
  const request = new XMLHttpRequest()
  request.open("POST",
    `/upload?${new URLSearchParams({ session: sessionStorage.getItem("session"), element: id, ...query })}`)
  request.setRequestHeader("Authorization", `Bearer ${localStorage.getItem("token")}`)
  request.upload.onprogress = event => onProgress?.(event.loaded / event.total)
  request.onload = () => resolve({ ok: request.status < 300, status: request.status, text: request.responseText })
  request.onerror = () => reject(new Error("The connection to the app was cut."))
  request.send(body)
})

// Does something that needs the app, and does it again if the app ends meanwhile.
async function untilDone(body) {
  for (let attempt = 1; ; attempt++) {
    await online()
    try {
      return await body()
    } catch (error) {
      if (attempt === 5 || error instanceof DropError) throw error
      // The page may learn only now that the app has ended.
      await new Promise(resolve => setTimeout(resolve, attempt * 500))
    }
  }
}

async function upload(id, file, location) {
  const isFile = nodes.get(id)?.dataset.upload === "file"
  if (isFile && file.size > maximumOther) throw new Error(`“${file.name}” is too large: a file may have 64 MB.`)
  const { body, width, height } = isFile ? { body: file } : await prepared(file)
  const query = { upload: crypto.randomUUID(), kind: isFile ? "file" : "image", width, height, ...location }
  let done = 0
  const start = performance.now()
  const progress = setInterval(() => {
    if (performance.now() - start > 500) say("progress", `Sending “${file.name}”: ${Math.round(done * 100)} %`)
  }, 250)
  try {
    const { ok, status } = await untilDone(() => post(id, query, body, part => { done = part }))
    if (ok) return
    throw new Error(`“${file.name}” was not added: ${{ 404: "its place is no longer shown. Add it again.",
      415: "only PNG, JPEG, GIF and WebP pictures can be." }[status] ?? "the app did not take it."}`)
  } finally {
    clearInterval(progress)
    say("progress")
  }
}

// One after the other, so that they come in the order in which they were chosen; beside each other where they
// were dropped.
let uploads = Promise.resolve(), uploadCount = 0
function uploadAll(id, files, point) {
  uploadCount += 1
  uploads = uploads.then(async () => {
    const errors = []
    for (const [index, file] of files.entries()) {
      const location = point && { x: point.x + index * 60, y: point.y + index * 60 }
      await upload(id, file, location).catch(error => errors.push(error.message))
    }
    if (errors.length) say("upload", errors.join("\n"), { OK: () => {} })
    uploadCount -= 1
  })
}
addEventListener("beforeunload", event => { if (uploadCount) event.preventDefault() })

root.addEventListener("change", event => {
  const field = event.target
  if (!field.matches("[data-upload]")) return
  const files = [...field.files]
  field.value = ""
  uploadAll(field.id, files)
})

const dropTarget = event => event.target.closest?.("[data-drop]")
addEventListener("dragover", event => {
  // A file dropped beside its place must not replace the page.
  event.preventDefault()
  const target = dropTarget(event)
  event.dataTransfer.dropEffect = target ? "copy" : "none"
  for (const node of root.querySelectorAll(".dropping")) if (node !== target) node.classList.remove("dropping")
  target?.classList.add("dropping")
})
for (const end of ["drop", "dragleave"]) addEventListener(end, event => {
  event.preventDefault()
  const target = dropTarget(event)
  if (end === "dragleave" && event.relatedTarget && target?.contains(event.relatedTarget)) return
  target?.classList.remove("dropping")
  if (end !== "drop" || !target) return
  const { files } = event.dataTransfer
  if (target.dataset.drop) receiveDrop(target, event)
  else if (files.length) uploadAll(target.id, [...files], onBoard(event, target))
  else mention("Only pictures can be dropped here.")
})
addEventListener("paste", event => {
  const target = root.querySelector("[data-drop='']")
  const files = [...event.clipboardData?.files ?? []]
  if (target && files.length) uploadAll(target.id, files)
})
