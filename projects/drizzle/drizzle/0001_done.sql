ALTER TABLE `todos` ADD `done` integer DEFAULT false NOT NULL;
