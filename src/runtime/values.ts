/**
 * The format of values on disk: V8's structured serialisation, version 15 (`FF 0F`), as workerd writes it, so that
 * storage can move between the two in both directions.
 *
 * ```ts
 * const bytes = encodeValue({ visits: 3, last: new Date() }); // a copy, as of now
 * const value = decodeValue(bytes); // a fresh object each time
 * ```
 *
 * Storable values: everything structured clone accepts except `SharedArrayBuffer`. An instance of a user's class is
 * stored as a plain object of its own enumerable properties. Of the platform's classes `Blob`, `Headers`,
 * `DOMException`, and `Request` and `Response` without a body are stored, in workerd's layout; all others are refused,
 * `File` among them. A refusal is a `DOMException` named `DataCloneError`.
 *
 * The bytes equal workerd's except where those depend on how V8 happens to hold a value, which no program can
 * see: a string of Latin-1 characters held in two bytes each, or a whole number held where a fraction has been (in a
 * field, or among the elements of an array). Common header names are written in full. All of these read back the same. An
 * error with its own properties, which workerd writes for newer compatibility dates, is read and never written.
 */
export { decodeReferring, decodeValue } from './values/decode.ts';
export { encodePlain, encodeReferring, encodeValue } from './values/encode.ts';
export {
  ValueFormatError,
  dataCloneError,
  explainRefusals,
  refuseToStore,
  typeNotSerializable,
} from './values/errors.ts';
export { type ObjectKind, kindOf } from './values/kind.ts';
