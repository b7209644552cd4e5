/**
 * Stands in for a part of the platform that is not here: programs may pass it on, copy it or ask whether it is there;
 * using it throws the explanation.
 */
export function explainWhenUsed(explanation: string): object {
  const explain = (): never => {
    throw new Error(explanation);
  };
  return new Proxy(explain, {
    // Asked of everything that is awaited, printed or turned into JSON.
    get: (_target, name) =>
      typeof name === 'symbol' || name === 'then' || name === 'toJSON' ? undefined : explain(),
    set: explain,
    apply: explain,
    construct: explain,
  });
}
