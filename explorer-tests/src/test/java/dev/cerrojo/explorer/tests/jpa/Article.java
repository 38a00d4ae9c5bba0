package dev.cerrojo.explorer.tests.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An article as Hibernate saves it by itself: every column, whatever was changed. */
@Entity
public class Article {
    @Id
    private Long id;

    private String title;

    private String summary;

    protected Article() {}

    public Article(Long id, String title, String summary) {
        this.id = id;
        this.title = title;
        this.summary = summary;
    }

    public String title() {
        return title;
    }

    public void rename(String other) {
        title = other;
    }

    public String summary() {
        return summary;
    }

    public void summarize(String other) {
        summary = other;
    }
}
