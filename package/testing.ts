/** `gatehouse/testing`: objects lived through thousands of times, with everything that can go wrong. */
export * from '#simulator';
export { DurableObject, RpcTarget } from '#objects';
