/**
 * Writes a small database of IPv4 networks in MaxMind's format: a tree with a node for each bit of an address, whose
 * leaves point into the values after it, and a description at the end.
 */

/** A value of the format; numbers are non-negative integers. */
type MmdbValue = string | number | readonly MmdbValue[] | { readonly [name: string]: MmdbValue };

export interface MmdbEntry {
  readonly network: string;
  readonly value: MmdbValue;
}

type Branch = TreeNode | number | undefined;

interface TreeNode {
  readonly branches: [Branch, Branch];
}

const recordBits = 24;
/** Between the tree and the values. */
const separatorBytes = 16;
const marker = Buffer.from('\u00ab\u00cd\u00efMaxMind.com', 'latin1');

export function writeMmdb(type: string, entries: readonly MmdbEntry[]): Uint8Array {
  const root: TreeNode = { branches: [undefined, undefined] };
  const values: Buffer[] = [];
  let at = 0;
  for (const { network, value } of entries) {
    const bytes = writeValue(value);
    addLeaf(root, network, at);
    values.push(bytes);
    at += bytes.length;
  }
  const nodes = listNodes(root);
  const tree = Buffer.alloc((nodes.length * 2 * recordBits) / 8);
  const places = new Map(nodes.map((node, index) => [node, index]));
  const point = (branch: Branch): number => {
    if (branch === undefined) return nodes.length;
    return typeof branch === 'number' ? nodes.length + separatorBytes + branch : places.get(branch)!;
  };
  for (const [index, { branches }] of nodes.entries()) {
    tree.writeUIntBE(point(branches[0]), index * 6, 3);
    tree.writeUIntBE(point(branches[1]), index * 6 + 3, 3);
  }
  const description = writeValue({
    node_count: nodes.length,
    record_size: recordBits,
    ip_version: 4,
    database_type: type,
    languages: ['en'],
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 0,
    description: { en: 'Invented, for the demo' },
  });
  return Buffer.concat([tree, Buffer.alloc(separatorBytes), ...values, marker, description]);
}

function addLeaf(root: TreeNode, network: string, leaf: number): void {
  const [address = '', length = '32'] = network.split('/');
  const bits = address
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('')
    .slice(0, Number(length));
  let node = root;
  for (const bit of bits.slice(0, -1)) {
    const side = Number(bit) as 0 | 1;
    node.branches[side] ??= { branches: [undefined, undefined] };
    node = node.branches[side] as TreeNode;
  }
  node.branches[Number(bits.at(-1)) as 0 | 1] = leaf;
}

/** The root comes first. */
function listNodes(root: TreeNode): readonly TreeNode[] {
  const nodes = [root];
  for (const { branches } of nodes)
    for (const branch of branches) if (typeof branch === 'object') nodes.push(branch);
  return nodes;
}

/** Type numbers, in the upper bits of the first byte; those above 7 have a byte of their own. */
const types = { text: 2, uint32: 6, map: 7, array: 11 } as const;

function writeValue(value: MmdbValue): Buffer {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([writeHead(types.text, bytes.length), bytes]);
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([writeHead(types.uint32, 4), bytes]);
  }
  if (Array.isArray(value)) {
    const items = value as readonly MmdbValue[];
    return Buffer.concat([writeHead(types.array, items.length), ...items.map(writeValue)]);
  }
  const pairs = Object.entries(value);
  return Buffer.concat([
    writeHead(types.map, pairs.length),
    ...pairs.flatMap(([name, each]) => [writeValue(name), writeValue(each)]),
  ]);
}

function writeHead(type: number, size: number): Buffer {
  const [written, more] = size < 29 ? [size, []] : [29, [size - 29]];
  return Buffer.from(type > 7 ? [written, type - 7, ...more] : [(type << 5) | written, ...more]);
}
