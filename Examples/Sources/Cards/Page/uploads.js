// Pictures and files that the user chooses, drops or pastes.
"use strict"

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

async function upload(id, file, location) {
  const isFile = nodes.get(id)?.matches("[data-upload=file], [data-drop=cards]")
  if (isFile && file.size > maximumOther) throw new Error(`“${file.name}” is too large: a file may have 64 MB.`)
  const { body, width, height } = isFile ? { body: file } : await prepared(file)
  const query = { upload: crypto.randomUUID(), kind: isFile ? "file" : "image", width, height, ...location,
    ...isFile && { name: file.name } }
  let done = 0
  const start = performance.now()
  const progress = setInterval(() => {
    if (performance.now() - start > 500) say("progress", `Sending “${file.name}”: ${Math.round(done * 100)} %`)
  }, 250)
  try {
    const { ok, status } = await untilDone(() => post(id, query, body, part => { done = part }))
    if (ok) return say("upload")
    throw new Error(`“${file.name}” was not added: ${{ 404: "its place is no longer shown. Add it again.",
      415: "only PNG, JPEG, GIF and WebP pictures can be." }[status] ?? "the app did not take it."}`)
  } finally {
    clearInterval(progress)
    say("progress")
  }
}

// One after the other, so that they come in the order in which they were chosen; beside each other where they
// were dropped.
let uploads = Promise.resolve(), uploadCount = 0, lastBeforeErrors = 0
function uploadAll(id, files, event, errors = []) {
  uploadCount += 1
  const point = event && onBoard(event, nodes.get(id))
  uploads = uploads.then(async () => {
    for (const [index, file] of files.entries()) {
      const location = point && { x: point.x + index * 60, y: point.y + index * 60 }
      await upload(id, file, location).catch(error => errors.push(error.message))
    }
    if (errors.length) {
      say("upload", errors.join("\n"), { OK: () => {} })
      lastBeforeErrors = lastNumber
    }
    uploadCount -= 1
  })
}
// What could not be added is said until the user has gone on.
hooks.acknowledged.push(() => { if (acknowledged > lastBeforeErrors) say("upload") })
addEventListener("beforeunload", event => { if (uploadCount) event.preventDefault() })

root.addEventListener("change", event => {
  const field = event.target
  if (!field.matches("[data-upload]")) return
  const files = [...field.files]
  field.value = ""
  uploadAll(field.id, files)
})

dropReceivers.images = (target, event) => {
  const files = [...event.dataTransfer.files]
  if (files.length) uploadAll(target.id, files, event)
  else mention("Only pictures can be dropped here.")
}
dropReceivers.cards = (target, event) => {
  const field = target.querySelector("[data-upload=file]")
  const files = [...event.dataTransfer.files], cards = files.filter(({ name }) => name.toLowerCase().endsWith(field.accept))
  const errors = files.filter(file => !cards.includes(file))
    .map(({ name }) => `“${name}” is not the file of a card. To add a picture, open a card and drop it there.`)
  if (files.length) uploadAll(cards.length === 1 ? field.id : target.id, cards, undefined, errors)
  else mention("Only the files of cards can be dropped here.")
}
dropReceivers.beside = () =>
  mention("Drop pictures on the card itself; the file of a card is dropped on the list of all cards.")
addEventListener("paste", event => {
  const target = root.querySelector("[data-drop=images]")
  const files = [...event.clipboardData?.files ?? []]
  if (target && files.length) uploadAll(target.id, files)
})
