/** Refusals of arguments, with the texts of workerd's interface definition. */
export function wrongType(method: string, parameter: number, type: string, face = 'WebSocket'): TypeError {
  return new TypeError(
    `Failed to execute '${method}' on '${face}': parameter ${parameter} is not of type '${type}'.`,
  );
}

export function wrongConstruction(face: string, parameter: number, type: string): TypeError {
  return new TypeError(
    `Failed to construct '${face}': constructor parameter ${parameter} is not of type '${type}'.`,
  );
}
