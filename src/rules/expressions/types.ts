/**
 * The types of the language. Every type exists once, so two types are equal exactly when they are the same object.
 */

export type Type = ScalarType | ContainerType;

export interface ScalarType {
  readonly kind: 'Bool' | 'Int' | 'Ip' | 'Bytes';
}

/** `Array` and `Map` of one element type; the keys of a map are byte strings. */
export interface ContainerType {
  readonly kind: 'Array' | 'Map';
  readonly of: Type;
}

export const boolType: ScalarType = { kind: 'Bool' };
export const intType: ScalarType = { kind: 'Int' };
export const ipType: ScalarType = { kind: 'Ip' };
export const bytesType: ScalarType = { kind: 'Bytes' };

const arrays = new Map<Type, ContainerType>();
const maps = new Map<Type, ContainerType>();

export function arrayOf(of: Type): ContainerType {
  return getContainer(arrays, 'Array', of);
}

export function mapOf(of: Type): ContainerType {
  return getContainer(maps, 'Map', of);
}

function getContainer(known: Map<Type, ContainerType>, kind: 'Array' | 'Map', of: Type): ContainerType {
  let type = known.get(of);
  if (type === undefined) known.set(of, (type = { kind, of }));
  return type;
}

export const boolArrayType: ContainerType = arrayOf(boolType);

/** The type as messages write it: `Bytes`, `Map<Array<Bytes>>`. */
export function formatType(type: Type): string {
  return 'of' in type ? `${type.kind}<${formatType(type.of)}>` : type.kind;
}
