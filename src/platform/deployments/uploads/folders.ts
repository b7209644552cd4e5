/** Folders in the data directory of a program that runs Workers. */

/** The objects of each Worker, and the versions of those in the configuration. */
export const workersFolder = 'workers';

/** The stores of the account, to which uploaded Workers are bound. */
export const storesFolder = 'stores';

export const codeFolder = 'worker-code';

export const assetFolder = 'worker-assets';
