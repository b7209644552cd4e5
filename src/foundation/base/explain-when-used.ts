/**
 * Stands in for a part of the platform that is not here: programs may pass it on, copy it or ask whether it is there;
 * using it throws the explanation, except for the methods that are given.
 */
export function explainWhenUsed(
  explanation: string,
  methods: Readonly<Record<string, unknown>> = {},
): object {
  const explain = (): never => {
    throw new Error(explanation);
  };
  return new Proxy(explain, {
    // Asked of everything that is awaited, printed or turned into JSON.
    get: (_target, name) => {
      if (typeof name === 'symbol' || name === 'then' || name === 'toJSON') return undefined;
      return Object.hasOwn(methods, name) ? methods[name] : explain();
    },
    set: explain,
    apply: explain,
    construct: explain,
  });
}
