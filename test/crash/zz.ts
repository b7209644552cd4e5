import { exploreRuntime } from './explorations.ts';
const t = Date.now();
await exploreRuntime({ seed: Number(process.argv[2] ?? 1), states: Number(process.argv[3] ?? 50) });
console.log('ok', Date.now() - t);
