import { useEffect, useState } from 'react';

const settleMs = 400;

/** The value as it was when it last stayed the same for a moment: what to ask the server about while somebody types. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), settleMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
