/**
 * Bodies that are files which no detector reads: photos, archives, videos, git packs. They need no limit, because no
 * program parses what follows their start.
 */

/** Types that programs parse whatever the bytes are; not those of office documents, whose names contain such words. */
const readType = /^text\/|json|[/+.-]xml\b|urlencoded|^multipart|graphql|yaml|(?:java|ecma)script|html/;

/* oxlint-disable no-control-regex */
/** The first bytes of files that no program treats as text. */
const magic =
  /^(?:\x89PNG|\xff\xd8\xff|GIF8[79]a|RIFF[^]{4}(?:WEBP|WAVE|AVI )|%PDF-|PK[\x03\x05\x07][\x04\x06\x08]|\x1f\x8b|BZh\d|\xfd7zXZ|7z\xbc\xaf|Rar!|\x28\xb5\x2f\xfd|\x7fELF|MZ[^]{2}\x00|\0asm|OggS|fLaC|ID3|\xff[\xfb\xf3\xf2]|[^]{4}ftyp|\x1aE\xdf\xa3|wOF[F2]|\0\x01\0\0|II\*\0|MM\0\*|SQLite format 3\0|PACK\0\0\0|[\da-f]{44} [\da-f]{40} refs\/)/;
/** Some of them are letters, with which a form may start as well: a file soon has other bytes. */
const notText = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f-\xff]/;
const controls = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/g;
/* oxlint-enable no-control-regex */

/**
 * How much of a body is examined, and the share of control bytes that text never has: in random bytes it is a ninth.
 */
const lookBytes = 2_048;
const controlShare = 0.02;

/** Whether a body is a file of some kind, by its first bytes: its magic number or its control bytes. */
export function isBinary(body: string): boolean {
  const head = body.slice(0, lookBytes);
  if (magic.test(head)) return notText.test(head);
  return (head.match(controls)?.length ?? 0) > controlShare * head.length;
}

/** Whether strings are read from its bytes, as in MessagePack. */
export function isPacked(mediaType: string): boolean {
  return /msgpack|messagepack/.test(mediaType);
}

/** Whether a body is a file to every program: by its first bytes, unless programs parse bodies of its type. */
export function isFile(body: string, mediaType: string): boolean {
  return !readType.test(mediaType) && isBinary(body);
}
