/** The refusal of an argument, as workerd's interface definition words it. */
export function wrongType(method: string, parameter: number, type: string, face = 'WebSocket'): TypeError {
  return new TypeError(
    `Failed to execute '${method}' on '${face}': parameter ${parameter} is not of type '${type}'.`,
  );
}
