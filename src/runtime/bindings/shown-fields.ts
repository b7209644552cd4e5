/**
 * How plain results represent fields without a value. Since `enable_fast_jsg_struct` (2025-12-03) the fields exist and
 * are undefined; before, they are omitted. Programs can detect this with `in`, and do: a range of R2 that has a
 * `suffix` is counted from the end.
 */
export type ShowFields = <Fields extends object>(fields: Fields) => Fields;

export const showAllFields: ShowFields = (fields) => fields;

export const leaveOutEmptyFields: ShowFields = (fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as typeof fields;
