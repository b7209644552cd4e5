/**
 * The bytes of the format. A value is a tag and its payload; objects are numbered in the order their tags appear, and
 * a second mention of one is `reference` and its number. Lengths and counts are little-endian base-128 varints,
 * doubles are eight bytes little-endian, and the payload of a two-byte string starts at an even offset.
 */
export const versionMark = 0xff;
export const versionCurrent = 15;
/** The version of values that workerd wrote before it wrote headers. */
export const versionWithoutHeader = 13;

export const tag = {
  padding: 0x00,
  undefined: 0x5f, // _
  null: 0x30, // 0
  true: 0x54, // T
  false: 0x46, // F
  int32: 0x49, // I
  uint32: 0x55, // U
  double: 0x4e, // N
  bigint: 0x5a, // Z
  oneByteString: 0x22, // "
  twoByteString: 0x63, // c
  reference: 0x5e, // ^
  object: 0x6f, // o
  objectEnd: 0x7b, // {
  denseArray: 0x41, // A
  denseArrayEnd: 0x24, // $
  sparseArray: 0x61, // a
  sparseArrayEnd: 0x40, // @
  hole: 0x2d, // -
  date: 0x44, // D
  trueObject: 0x79, // y
  falseObject: 0x78, // x
  numberObject: 0x6e, // n
  bigintObject: 0x7a, // z
  stringObject: 0x73, // s
  regexp: 0x52, // R
  map: 0x3b, // ;
  mapEnd: 0x3a, // :
  set: 0x27, // '
  setEnd: 0x2c, // ,
  arrayBuffer: 0x42, // B
  resizableArrayBuffer: 0x7e, // ~
  view: 0x56, // V
  error: 0x72, // r
  hostObject: 0x5c, // \
} as const;

export const errorTag = {
  message: 0x6d, // m
  stack: 0x73, // s
  cause: 0x63, // c
  end: 0x2e, // .
} as const;

/** The classes an error can be decoded as; any other name becomes a plain `Error`. */
export const errorClasses: readonly (readonly [tag: number, constructor: ErrorConstructor])[] = [
  [0x45, EvalError],
  [0x52, RangeError],
  [0x46, ReferenceError],
  [0x53, SyntaxError],
  [0x54, TypeError],
  [0x55, URIError],
];

type ViewConstructor = new (buffer: ArrayBuffer, byteOffset?: number, length?: number) => ArrayBufferView;

/** By name, because a view of another realm has another constructor. */
export const viewClasses: readonly {
  readonly name: string;
  readonly tag: number;
  readonly elementBytes: number;
  readonly construct: ViewConstructor;
}[] = [
  { name: 'Uint8Array', tag: 0x42, elementBytes: 1, construct: Uint8Array },
  { name: 'Int8Array', tag: 0x62, elementBytes: 1, construct: Int8Array },
  { name: 'Uint8ClampedArray', tag: 0x43, elementBytes: 1, construct: Uint8ClampedArray },
  { name: 'Int16Array', tag: 0x77, elementBytes: 2, construct: Int16Array },
  { name: 'Uint16Array', tag: 0x57, elementBytes: 2, construct: Uint16Array },
  { name: 'Int32Array', tag: 0x64, elementBytes: 4, construct: Int32Array },
  { name: 'Uint32Array', tag: 0x44, elementBytes: 4, construct: Uint32Array },
  { name: 'Float16Array', tag: 0x68, elementBytes: 2, construct: Float16Array },
  { name: 'Float32Array', tag: 0x66, elementBytes: 4, construct: Float32Array },
  { name: 'Float64Array', tag: 0x46, elementBytes: 8, construct: Float64Array },
  { name: 'BigInt64Array', tag: 0x71, elementBytes: 8, construct: BigInt64Array },
  { name: 'BigUint64Array', tag: 0x51, elementBytes: 8, construct: BigUint64Array },
  { name: 'DataView', tag: 0x3f, elementBytes: 1, construct: DataView },
];

export const viewFlag = { tracksLength: 1, resizable: 2 } as const;

/** In the order of their bits. */
export const regexpFlags: readonly (readonly [letter: string, bit: number])[] = [
  ['g', 1],
  ['i', 2],
  ['m', 4],
  ['y', 8],
  ['u', 16],
  ['s', 32],
  ['d', 128],
  ['v', 256],
];

/** Whole numbers outside this range are written as doubles: workerd's V8 compresses pointers. */
export const smallIntegerMin = -(2 ** 30);
export const smallIntegerMax = 2 ** 30 - 1;
