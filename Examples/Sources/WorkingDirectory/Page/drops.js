// Files and folders that are dropped on a view.
"use strict"

class DropError extends Error { isFinal = true }

const called = (object, method) => new Promise((resolve, reject) => object[method](resolve, reject))
const relativePath = entry => entry.fullPath.slice(1)

async function readable(entry, body) {
  try { return await body } catch { throw new DropError(`${relativePath(entry)} cannot be read.`) }
}

// Finds everything that was dropped, each folder before what is in it, and reads none of it: a folder
// with any number of files is refused at once.
async function findAll(entries, limit) {
  const found = [...entries]
  for (const entry of found) {
    const reader = entry.isDirectory && entry.createReader()
    // Chromium gives a hundred entries at a time.
    for (let part; reader && part?.length !== 0;) {
      part = await readable(entry, called(reader, "readEntries"))
      found.push(...part)
      if (found.length > limit) throw new DropError(`More than ${number(limit)} files and folders cannot be dropped at once.`)
    }
  }
  return found
}

// Files of a list, in its order. All at once would be too much for a browser.
async function openAll(entries, limit) {
  const files = []
  for (let index = 0; index < entries.length; index += 100)
    files.push(...await Promise.all(entries.slice(index, index + 100).map(entry => readable(entry, called(entry, "file")))))
  const large = files.findIndex(file => file.size > limit)
  if (large >= 0) throw new DropError(`${relativePath(entries[large])} is larger than ${limit >> 20} MB.`)
  return files
}

// The files of a list in parts to send at once: small ones would take long one by one.
function parts(files) {
  const parts = []
  let room = -1
  files.forEach((file, index) => {
    if (file.size > room || parts.at(-1).count === 100) {
      parts.push({ first: index, count: 0 })
      room = 4 << 20
    }
    parts.at(-1).count += 1
    room -= file.size
  })
  return parts
}

// The bytes of a part. Where one file ends and the next begins, the app knows from their lengths.
async function bytes(entries, files) {
  if (files.length === 1) return files[0]
  const buffers = await Promise.all(files.map((file, index) => readable(entries[index], file.arrayBuffer())))
  const changed = buffers.findIndex((buffer, index) => buffer.byteLength !== files[index].size)
  if (changed >= 0) throw new DropError(`${relativePath(entries[changed])} was changed while it was being read.`)
  return new Blob(buffers)
}

async function postPart(id, query, body) {
  let reply
  try {
    reply = await post(id, query, body)
  } catch {
    if (body instanceof Blob) await readable({ fullPath: `/${body.name}` }, body.slice(0, 1).arrayBuffer())
    throw new Error("The connection to the app was cut.")
  }
  // An app that was started again does not know the drop.
  if (reply.status === 404) throw new Error(reply.text)
  if (!reply.ok) throw new DropError(reply.text || "The app did not take the files.")
  return reply.text
}

async function sendDrop(id, entries, { limits, x, y }) {
  const [entryLimit, sizeLimit, totalLimit] = limits.split(" ").map(Number)
  const found = await findAll(entries, entryLimit)
  const listed = found.filter(entry => entry.isFile)
  const files = await openAll(listed, sizeLimit)
  if (files.reduce((sum, file) => sum + file.size, 0) > totalLimit)
    throw new DropError(`More than ${totalLimit >> 20} MB cannot be dropped at once.`)
  const drop = await postPart(id, { step: "begin" }, JSON.stringify({
    directories: found.filter(entry => entry.isDirectory).map(relativePath),
    files: files.map((file, index) => ({ path: relativePath(listed[index]), size: file.size })), x, y }))
  const waiting = parts(files)
  let sent = 0
  const progress = setInterval(() => say("progress", `${number(sent)} of ${number(files.length)} files …`), 1000)
  const sendNext = async () => {
    for (let part; (part = waiting.shift());) {
      const range = [part.first, part.first + part.count]
      const body = await bytes(listed.slice(...range), files.slice(...range))
      await postPart(id, { step: "file", drop, file: part.first, count: part.count }, body)
      sent += part.count
    }
  }
  try {
    await Promise.all([sendNext(), sendNext(), sendNext(), sendNext()])
    await postPart(id, { step: "end", drop }, "")
  } catch (error) {
    waiting.length = 0
    post(id, { step: "cancel", drop }, "").catch(() => {})
    throw error
  } finally {
    clearInterval(progress)
    say("progress")
  }
}

let isSendingDrop = false
dropReceivers.folders = async (target, event) => {
  // Only during the event; afterwards the list is empty.
  const entries = [...event.dataTransfer.items].map(item => item.webkitGetAsEntry()).filter(Boolean)
  const box = target.getBoundingClientRect()
  const place = { limits: target.dataset.limits, x: event.clientX - box.x, y: event.clientY - box.y }
  if (!entries.length) return mention("Only files and folders can be dropped here.")
  if (isSendingDrop) return mention("The files of the last drop are still being received.")
  isSendingDrop = true
  try {
    await untilDone(() => sendDrop(target.id, entries, place))
  } catch (error) {
    if (!(error instanceof DropError)) console.error(error)
    mention(error.message)
  }
  isSendingDrop = false
}
