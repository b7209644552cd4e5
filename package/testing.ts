/**
 * `gatehouse/testing`: objects and whole projects for tests, and simulations of objects with thousands of seeds and
 * every kind of failure.
 */
export {
  checkAtMostOnce,
  checkExactlyOnce,
  checkLinearizable,
  DefinedSimulation,
  type DefinedOptions,
  defineSimulation,
  type Delivery,
  type EffectOptions,
  type FaultKind,
  faultKinds,
  type Participant,
  type Model,
  type Moment,
  type ObjectOptions,
  openTestObjects,
  type Operation,
  type Operations,
  type RunOptions,
  simulate,
  type SimulateOptions,
  SimulationFailure,
  type SimulationOptions,
  SimulationOptionsError,
  type SimulationReport,
  type Step,
  type StorageChange,
  type Story,
  TestObjects,
  type TestObjectsOptions,
  type World,
} from '#simulator';
export { openTestProject, readD1Migrations, TestProject, type TestProjectOptions } from '#tested-projects';
export { DurableObject, RpcTarget } from '#objects';
