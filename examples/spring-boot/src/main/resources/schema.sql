create table users (id varchar(64) primary key, name varchar(200) not null);
