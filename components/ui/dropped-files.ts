/* Owns what was dropped: files, and what lies in dropped folders, each with its path. Invariant: hidden files stay where they are;
   the order is that of the paths, so that the same folder gives the same import. */

export interface DroppedFile {
  /** "folder/file.json", or the plain name */
  path: string
  file: File
}

const visible = (path: string) => path.split('/').every((part) => part === '' || part.startsWith('.') === false)

function sorted(files: readonly DroppedFile[]): DroppedFile[] {
  return files.filter(({ path }) => visible(path)).sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Files of an input: those of a folder know their path. */
export function chosenFiles(list: Iterable<File>): DroppedFile[] {
  return sorted(
    [...list].map((file) => ({ path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath, file })),
  )
}

/** Must be called inside the event: the browser forgets the entries after it. */
export async function droppedFiles(transfer: DataTransfer): Promise<DroppedFile[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry?.() ?? [])
  // made by a script, a transfer has files without entries
  if (entries.length === 0) return chosenFiles(transfer.files)
  const found = await Promise.all(entries.map(filesOf))
  return sorted(found.flat())
}

async function filesOf(entry: FileSystemEntry): Promise<DroppedFile[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    return [{ path: entry.fullPath.replace(/^\//, ''), file }]
  }
  if (!isFolder(entry)) return []
  const reader = entry.createReader()
  const found: DroppedFile[] = []
  // a reader gives some entries at a time, and none at the end
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return found
    for (const part of await Promise.all(some.map(filesOf))) found.push(...part)
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
