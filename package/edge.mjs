/** `gatehouse/edge` for those who have installed this package: what src/edge.ts exports, wherever it lies. */
import './strip-own-types.mjs';

export const {
  createFirewall,
  Edge,
  fastifyHook,
  honoMiddleware,
  isNetwork,
  nodeMiddleware,
  openGeoDatabase,
} = await import('../src/edge.ts');
