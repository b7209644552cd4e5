/** Refusals of arguments, in the words of workerd's interface definition. */

export interface Callee {
  readonly method: string;
  /** The class of the method; functions have none. */
  readonly face?: string;
}

export function wrongType({ method, face }: Callee, parameter: number, type: string): TypeError {
  const callee = face === undefined ? `'${method}'` : `'${method}' on '${face}'`;
  return new TypeError(`Failed to execute ${callee}: parameter ${parameter} is not of type '${type}'.`);
}

export function wrongConstruction(face: string, parameter: number, type: string): TypeError {
  return new TypeError(
    `Failed to construct '${face}': constructor parameter ${parameter} is not of type '${type}'.`,
  );
}
