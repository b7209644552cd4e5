/** Headers between a test thread and the functions of the configuration. */
export const functionHeaders = {
  token: 'x-gatehouse-token',
  number: 'x-gatehouse-function',
  url: 'x-gatehouse-url',
  failed: 'x-gatehouse-failed',
} as const;

const own: ReadonlySet<string> = new Set([
  ...Object.values(functionHeaders),
  // Headers of the connection between the two.
  'connection',
  'host',
  'keep-alive',
  'transfer-encoding',
]);

/** The headers of the original request. */
export function toOriginalHeaders(rawHeaders: readonly string[]): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (!own.has(name.toLowerCase())) headers.append(name, rawHeaders[index + 1]!);
  }
  return headers;
}
