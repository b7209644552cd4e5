import { useEffect, useState } from 'react';

const settleMs = 400;

/** The value after it has not changed for a moment: for server requests while the user types. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), settleMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
