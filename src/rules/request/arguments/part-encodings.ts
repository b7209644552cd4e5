/**
 * Decodes the Content-Transfer-Encoding of a part of a form, which browsers never use and some libraries still decode.
 */

export function undoPartEncoding(content: string, headers: readonly string[]): string {
  const encoding = headers
    .map((line) => /^content-transfer-encoding\s*:\s*([\w-]+)/i.exec(line)?.[1])
    .find((name) => name !== undefined)
    ?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(content, 'base64').toString('latin1');
  if (encoding !== 'quoted-printable') return content;
  return content
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-Fa-f]{2})/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
}
