/** The apparent location of uploaded Workers' modules, a folder for each Worker: not a folder of this machine. */
export const uploadedFolder = '/uploaded/';
