/** `gatehouse/vitest`: the tests of projects made for `@cloudflare/vitest-plugin`, on Gatehouse. */
export * from '#vitest';
export { type D1Migration, readD1Migrations } from '#tested-projects';
