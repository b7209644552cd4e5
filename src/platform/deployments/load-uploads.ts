/** The code about uploaded Workers, loaded on demand: `gatehouse run` does not need it. */

export function loadUploads(): Promise<typeof import('./uploads/uploaded-workers.ts')> {
  return import('./uploads/uploaded-workers.ts');
}

/** The files that the objects of a data directory refer to. */
export async function loadNamedFiles(): Promise<
  typeof import('./uploads/objects/named-files.ts').namedFiles
> {
  return (await import('./uploads/objects/named-files.ts')).namedFiles;
}
