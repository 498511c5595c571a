// Fields, sheets, images and texts that fill their room.
"use strict"

const appTitle = document.title

// What an attribute means besides itself.
const attributeHooks = {
  // What the user is writing is newer than what the app repeats.
  value: (node, value) => { if (document.activeElement !== node || !node.dataset.edited) node.value = value ?? "" },
  src: node => node.classList.remove("missing"),
  "data-place": (node, value) => { if (value !== null) place(node, value) },
  "data-selected": node => showHandles(node),
  "data-title": (node, value) => { document.title = value || appTitle },
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
  send({ kind: "input", id: field.id, value: field.value })
})

root.addEventListener("focusout", event => delete event.target.dataset.edited)

root.addEventListener("keydown", event => {
  if (event.key === "Enter" && !event.isComposing && event.target.matches("[data-submit]")) {
    event.preventDefault()
    send({ kind: "tap", id: event.target.id })
  }
})

addEventListener("keydown", event => {
  if (!(event.ctrlKey || event.metaKey)) return
  const isWriting = event.target.matches("input")
  const target = [...root.querySelectorAll("[data-shortcut]")].find(node =>
    node.dataset.shortcut === event.key && (!isWriting || "takesFocus" in node.dataset))
  if (!target) return
  event.preventDefault()
  target.click()
  if ("takesFocus" in target.dataset) target.focus()
})

// The app takes a sheet away; the page only asks it to.
root.addEventListener("cancel", event => {
  if (event.target.tagName !== "DIALOG") return
  event.preventDefault()
  send({ kind: "dismiss", id: event.target.id })
}, true)
root.addEventListener("close", event => {
  if (nodes.get(event.target.id) === event.target) send({ kind: "dismiss", id: event.target.id })
}, true)
root.addEventListener("pointerdown", event => {
  if (event.target.tagName === "DIALOG") send({ kind: "dismiss", id: event.target.id })
})

root.addEventListener("error", event => event.target.classList.add("missing"), true)

// Images.
const maximumSide = 2000, maximumBytes = 16 << 20

// An image larger than any card needs is made smaller here, where there is a decoder for it.
async function prepared(file) {
  const bitmap = await createImageBitmap(file)
  const { width, height } = bitmap
  const scale = Math.min(1, maximumSide / Math.max(width, height))
  if (scale === 1 && file.size <= maximumBytes) return { file, width, height }
  const canvas = document.createElement("canvas")
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  const type = file.type === "image/jpeg" ? "image/jpeg" : "image/png"
  const blob = await new Promise(resolve => canvas.toBlob(resolve, type, 0.9))
  return { file: blob, width: canvas.width, height: canvas.height }
}

// Sends something that the user chose to the app.
const post = (id, query, body) => fetch(
  `/upload?${new URLSearchParams({ session: sessionStorage.getItem("session"), element: id, ...query })}`,
  { method: "POST", body, headers: { Authorization: `Bearer ${localStorage.getItem("token")}` } })

async function upload(id, file) {
  let image
  try {
    image = await prepared(file)
  } catch {
    return mention("This is no image that the browser can show.")
  }
  if (image.file.size > maximumBytes) return mention("This image is too large.")
  try {
    const reply = await post(id, { width: image.width, height: image.height }, image.file)
    if (!reply.ok) mention(reply.status === 415 ? "Only PNG, JPEG, GIF and WebP images can be added."
      : "The app did not take the image.")
  } catch {
    mention("The app does not answer.")
  }
}

// One after the other, so that they come in the order in which they were chosen.
async function uploadAll(id, files) {
  for (const file of files) await upload(id, file)
}

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
  if (target.dataset.drop) receiveDrop(target, event)
  else uploadAll(target.id, [...event.dataTransfer.files])
})
addEventListener("paste", event => {
  const target = root.querySelector("[data-drop='']")
  const files = [...event.clipboardData?.files ?? []]
  if (target && files.length) uploadAll(target.id, files)
})
