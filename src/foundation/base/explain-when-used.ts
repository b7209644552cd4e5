/**
 * Stands in for a part of the platform that is not supported: programs may pass it on, copy it or check for its
 * existence; using it throws the explanation, except for the given methods.
 */
export function explainWhenUsed(
  explanation: string,
  methods: Readonly<Record<string, unknown>> = {},
): object {
  const explain = (): never => {
    throw new Error(explanation);
  };
  return new Proxy(explain, {
    // Read from every value that is awaited, printed or converted to JSON.
    get: (_target, name) => {
      if (typeof name === 'symbol' || name === 'then' || name === 'toJSON') return undefined;
      return Object.hasOwn(methods, name) ? methods[name] : explain();
    },
    set: explain,
    apply: explain,
    construct: explain,
  });
}
