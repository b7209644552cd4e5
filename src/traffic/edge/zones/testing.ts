/** For tests: a database in MaxMind's format with a few networks. */

type Json = string | number | boolean | readonly Json[] | { readonly [key: string]: Json };

/** IPv4 networks by their first bytes: `[[192, 0, 2], …]` is 192.0.2.0/24. */
export function createMmdb(
  type: string,
  networks: readonly (readonly [bytes: readonly number[], data: Json])[],
): Buffer {
  const nodes: (number | undefined)[][] = [[undefined, undefined]];
  const leaves = new Map<number, number>();
  const contents: Buffer[] = [];
  let offset = 0;
  networks.forEach(([bytes, data], index) => {
    const bits = bytes.flatMap((byte) => Array.from({ length: 8 }, (_, bit) => (byte >> (7 - bit)) & 1));
    let node = 0;
    bits.forEach((bit, depth) => {
      if (depth === bits.length - 1) {
        nodes[node]![bit] = -1 - index;
        return;
      }
      nodes[node]![bit] ??= nodes.push([undefined, undefined]) - 1;
      node = nodes[node]![bit]!;
    });
    leaves.set(-1 - index, offset);
    contents.push(encodeValue(data));
    offset += contents.at(-1)!.length;
  });
  const tree = Buffer.alloc(nodes.length * 8);
  nodes.flat().forEach((record, index) => {
    const value =
      record === undefined ? nodes.length : record < 0 ? nodes.length + 16 + leaves.get(record)! : record;
    tree.writeUInt32BE(value, index * 4);
  });
  const metadata = encodeValue({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1,
    database_type: type,
    description: { en: 'for tests' },
    ip_version: 4,
    languages: ['en'],
    node_count: nodes.length,
    record_size: 32,
  });
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
  return Buffer.concat([tree, Buffer.alloc(16), ...contents, marker, metadata]);
}

const types = { text: 2, double: 3, whole: 6, map: 7, array: 11, flag: 14 } as const;

function encodeValue(value: Json): Buffer {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([encodeControl(types.text, bytes.length), bytes]);
  }
  if (typeof value === 'boolean') return encodeControl(types.flag, value ? 1 : 0);
  if (typeof value === 'number') return encodeNumber(value);
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    return Buffer.concat([encodeControl(types.array, items.length), ...items.map(encodeValue)]);
  }
  const entries = Object.entries(value as Readonly<Record<string, Json>>);
  return Buffer.concat([
    encodeControl(types.map, entries.length),
    ...entries.flatMap(([key, item]) => [encodeValue(key), encodeValue(item)]),
  ]);
}

function encodeNumber(value: number): Buffer {
  const bytes = Buffer.alloc(Number.isInteger(value) ? 4 : 8);
  if (Number.isInteger(value)) bytes.writeUInt32BE(value);
  else bytes.writeDoubleBE(value);
  return Buffer.concat([
    encodeControl(Number.isInteger(value) ? types.whole : types.double, bytes.length),
    bytes,
  ]);
}

/** Supports sizes below 285, which is enough here. */
function encodeControl(type: number, size: number): Buffer {
  const [first, rest] = size < 29 ? [size, []] : [29, [size - 29]];
  return type < 8 ? Buffer.from([(type << 5) | first, ...rest]) : Buffer.from([first, type - 7, ...rest]);
}
