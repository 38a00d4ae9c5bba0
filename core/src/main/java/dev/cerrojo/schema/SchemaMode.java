package dev.cerrojo.schema;

/** What happens to Cerrojo's own tables when a program starts. */
public enum SchemaMode {
    /** They must be there, in the version that this library needs. */
    VALIDATE,
    /** What is missing is made. */
    CREATE,
    /** Nothing is asked; whoever needs a table that is missing fails then. */
    NONE
}
