/** Typical upload bodies of people and programs, of any length, generated piece by piece. */

export interface UploadKind {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A body of about this many bytes. */
  listPieces(size: number): Generator<Buffer>;
}

const pieceBytes = 64 * 1024;

/** The same bytes in every run; random enough to have every byte. */
function createNoise(seed: number): Buffer {
  const bytes = Buffer.allocUnsafe(pieceBytes + 4_096);
  let state = seed;
  for (let at = 0; at < bytes.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

const noise = createNoise(25);
const lines = Buffer.from(
  'export function add(left: number, right: number): number {\n  return left + right;\n}\n'.repeat(900),
);

interface FileParts {
  /** Its start and end; `fill` provides the bytes between them. */
  readonly begin: Buffer;
  readonly end?: Buffer;
  readonly fill?: Buffer;
}

function createFile(
  name: string,
  headers: UploadKind['headers'],
  { begin, end = Buffer.alloc(0), fill = noise }: FileParts,
): UploadKind {
  return {
    name,
    headers,
    *listPieces(size) {
      yield begin;
      let left = Math.max(0, size - begin.length - end.length);
      for (let index = 0; left > 0; index++) {
        // Another part of it each time, so that no two pieces are equal.
        const from = (index * 31) % 4_096;
        const piece = fill.subarray(from, from + Math.min(left, pieceBytes));
        yield piece;
        left -= piece.length;
      }
      yield end;
    },
  };
}

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const typed = (type: string): Readonly<Record<string, string>> => ({ 'content-type': type });

const boundary = '----gatehouse7MA4YWxkTrZu0gW';
const field = (name: string, content: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;

/** A form with a file and a field behind it. */
export function createForm(note: string): UploadKind {
  const fileHead = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="film.mp4"\r\nContent-Type: video/mp4\r\n\r\n`;
  return createFile(
    'form with a file and a field behind it',
    typed(`multipart/form-data; boundary=${boundary}`),
    {
      begin: bytes(`${field('title', 'Holiday')}${fileHead}`),
      end: bytes(`\r\n${field('note', note)}--${boundary}--\r\n`),
    },
  );
}

/** The head of one file of an archive, which is text itself. */
function createTarHead(): Buffer {
  const head = Buffer.alloc(512);
  head.write('src/add.ts', 0);
  for (const [at, number] of [
    [100, '0000644'],
    [108, '0001750'],
    [116, '0001750'],
    [124, '00000200000'],
  ] as const)
    head.write(number, at);
  head.write('ustar', 257);
  return head;
}

const hash = '3f786850e387550fdab836ed7e6dc881de23001b';

/** Files that rules do not parse, of any length. */
export const fileKinds: readonly UploadKind[] = [
  createFile('photo', typed('image/jpeg'), { begin: bytes('\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01') }),
  createFile('random bytes as a photo', typed('image/jpeg'), { begin: noise.subarray(77, 400) }),
  createFile('picture', typed('image/png'), { begin: bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR') }),
  createFile('PDF', typed('application/pdf'), {
    begin: bytes('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\nstream\n'),
  }),
  createFile('video', typed('video/mp4'), { begin: bytes('\0\0\0\x20ftypisom\0\0\x02\0isomiso2mp41') }),
  createFile('archive', typed('application/zip'), { begin: bytes('PK\x03\x04\x14\0\0\0\b\0') }),
  createFile(
    'office document',
    typed('application/vnd.openxmlformats-officedocument.wordprocessingml.document'),
    { begin: bytes('PK\x03\x04\x14\0\x06\0\b\0\0\0!\0') },
  ),
  createFile('container layer, compressed', typed('application/vnd.oci.image.layer.v1.tar+gzip'), {
    begin: bytes('\x1f\x8b\b\0\0\0\0\0\0\xff'),
  }),
  createFile('container layer with sources', typed('application/vnd.oci.image.layer.v1.tar'), {
    begin: createTarHead(),
    fill: lines,
  }),
  createFile('git push', typed('application/x-git-receive-pack-request'), {
    begin: bytes(
      `0094${'0'.repeat(40)} ${hash} refs/heads/main\0 report-status side-band-64k object-format=sha1 agent=git/2.43.00000PACK\0\0\0\x02`,
    ),
  }),
  createFile('file without a type', {}, { begin: noise.subarray(500, 900) }),
  createForm('the last of our pictures'),
];

/** Texts, which rules parse, up to the inspection limit: a form, JSON, XML and lines of a table, of whole rows. */
export const textKinds: readonly UploadKind[] = [
  createText('JSON', 'application/json', {
    begin: '[',
    row: (index) =>
      `{"id":${index},"name":"Blue shoes","price":19.9,"inStock":true,"note":"row ${index} is for rainy days"},`,
    end: '{}]',
  }),
  createText('form', 'application/x-www-form-urlencoded', {
    row: (index) => `name${index}=Blue+shoes+${index}&note${index}=for+rainy+days&`,
    end: 'last=1',
  }),
  createText('XML', 'application/xml', {
    begin: '<?xml version="1.0"?><rows>',
    row: (index) =>
      `<row id="${index}"><name>Blue shoes</name><note>row ${index} is for rainy days</note></row>`,
    end: '</rows>',
  }),
  createText('table', 'text/csv', {
    row: (index) => `${index},Blue shoes,19.90,row ${index} is for rainy days\n`,
  }),
];

function createText(
  name: string,
  type: string,
  { begin = '', row, end = '' }: { begin?: string; row: (index: number) => string; end?: string },
): UploadKind {
  return {
    name,
    headers: typed(type),
    *listPieces(size) {
      const rows = [begin];
      let length = begin.length + end.length;
      for (let index = 0; ; index++) {
        const next = row(index);
        length += next.length;
        if (length > size) break;
        rows.push(next);
      }
      yield bytes(rows.join('') + end);
    },
  };
}
