/**
 * How plain results show fields that have no value. Since `enable_fast_jsg_struct` (2025-12-03) they are there and
 * undefined; before, they are left out. Programs can tell by `in`, and do: a range of R2 that has a `suffix` is counted
 * from the end.
 */
export type ShowFields = <Fields extends object>(fields: Fields) => Fields;

export const showAllFields: ShowFields = (fields) => fields;

export const leaveOutEmptyFields: ShowFields = (fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as typeof fields;
