export { prepareWorkerProcess as prepareProcess } from '#workers';
