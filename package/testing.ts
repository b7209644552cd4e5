/** `gatehouse/testing`: objects for tests, and objects lived through thousands of times with all that can go wrong. */
export * from '#simulator';
export * from '#test-objects';
export { DurableObject, RpcTarget } from '#objects';
