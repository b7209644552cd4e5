/**
 * `gatehouse/testing`: objects and whole projects for tests, and objects lived through thousands of times with all that can
 * go wrong.
 */
export * from '#simulator';
export * from '#test-objects';
export { openTestProject, readD1Migrations, TestProject, type TestProjectOptions } from '#tested-projects';
export { DurableObject, RpcTarget } from '#objects';
