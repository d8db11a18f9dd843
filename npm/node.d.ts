// What is used of Node.

declare const process: { versions?: { node?: string } } | undefined;
declare module 'node:fs/promises' {
  export function readFile(path: URL): Promise<Uint8Array<ArrayBuffer>>;
}
declare module 'node:worker_threads' {
  export const Worker: any;
  export const parentPort: any;
}
