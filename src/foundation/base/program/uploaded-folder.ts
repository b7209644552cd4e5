/** Where the modules of uploaded Workers seem to be, each Worker in a folder of its name: no folder of this machine. */
export const uploadedFolder = '/uploaded/';
