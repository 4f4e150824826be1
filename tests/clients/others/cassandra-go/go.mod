module dinette/clients

go 1.24
