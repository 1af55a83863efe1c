export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  public: {
    Tables: {
      ai_usage: {
        Row: {
          calls: number
          day: string
          organization_id: string
          person: string
          tokens: number
        }
        ComputedFields: never
        Insert: {
          calls?: number
          day: string
          organization_id: string
          person: string
          tokens?: number
        }
        Update: {
          calls?: number
          day?: string
          organization_id?: string
          person?: string
          tokens?: number
        }
        Relationships: [
          {
            foreignKeyName: 'ai_usage_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      attempt_limits: {
        Row: {
          account: string | null
          expires_at: string
          failed_at: string | null
          failures: number
          hits: number
          key: string
          locked_until: string | null
          succeeded_at: string | null
          told_at: string | null
          window_start: string
        }
        ComputedFields: never
        Insert: {
          account?: string | null
          expires_at: string
          failed_at?: string | null
          failures?: number
          hits?: number
          key: string
          locked_until?: string | null
          succeeded_at?: string | null
          told_at?: string | null
          window_start: string
        }
        Update: {
          account?: string | null
          expires_at?: string
          failed_at?: string | null
          failures?: number
          hits?: number
          key?: string
          locked_until?: string | null
          succeeded_at?: string | null
          told_at?: string | null
          window_start?: string
        }
        Relationships: []
      }
      audit_log: {
        Row: {
          action: string
          actor: string
          actor_id: string | null
          created_at: string
          details: NonNullable<Json>
          id: string
          location_id: string | null
          organization_id: string
          subject: string | null
          subject_id: string
          subject_type: string
        }
        ComputedFields: never
        Insert: {
          action: string
          actor?: string
          actor_id?: string | null
          created_at?: string
          details?: NonNullable<Json>
          id?: string
          location_id?: string | null
          organization_id: string
          subject?: string | null
          subject_id: string
          subject_type: string
        }
        Update: {
          action?: string
          actor?: string
          actor_id?: string | null
          created_at?: string
          details?: NonNullable<Json>
          id?: string
          location_id?: string | null
          organization_id?: string
          subject?: string | null
          subject_id?: string
          subject_type?: string
        }
        Relationships: [
          {
            foreignKeyName: 'audit_log_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      automation_runs: {
        Row: {
          automation_id: string | null
          automation_name: string
          decided_at: string | null
          decided_by: string | null
          event: NonNullable<Json>
          expires_at: string | null
          failed: number
          failures: number
          finished_at: string | null
          guests: number | null
          id: string
          is_empty: boolean
          location_ids: string[]
          organization_id: string
          planned_to: string | null
          planning: boolean
          processed: number
          reason: string | null
          sent: number
          simulated: number
          skipped: number
          started_at: string
          started_by: string | null
          started_by_name: string | null
          status: string
          stopped_at: string | null
          stopped_by: string | null
          template: Json | null
          triggered_by: string
        }
        ComputedFields: never
        Insert: {
          automation_id?: string | null
          automation_name: string
          decided_at?: string | null
          decided_by?: string | null
          event?: NonNullable<Json>
          expires_at?: string | null
          failed?: number
          failures?: number
          finished_at?: string | null
          guests?: number | null
          id?: string
          is_empty?: never
          location_ids?: string[]
          organization_id: string
          planned_to?: string | null
          planning?: boolean
          processed?: number
          reason?: string | null
          sent?: number
          simulated?: number
          skipped?: number
          started_at?: string
          started_by?: string | null
          started_by_name?: string | null
          status?: string
          stopped_at?: string | null
          stopped_by?: string | null
          template?: Json | null
          triggered_by: string
        }
        Update: {
          automation_id?: string | null
          automation_name?: string
          decided_at?: string | null
          decided_by?: string | null
          event?: NonNullable<Json>
          expires_at?: string | null
          failed?: number
          failures?: number
          finished_at?: string | null
          guests?: number | null
          id?: string
          is_empty?: never
          location_ids?: string[]
          organization_id?: string
          planned_to?: string | null
          planning?: boolean
          processed?: number
          reason?: string | null
          sent?: number
          simulated?: number
          skipped?: number
          started_at?: string
          started_by?: string | null
          started_by_name?: string | null
          status?: string
          stopped_at?: string | null
          stopped_by?: string | null
          template?: Json | null
          triggered_by?: string
        }
        Relationships: [
          {
            foreignKeyName: 'automation_runs_automation_id_fkey'
            columns: ['automation_id']
            isOneToOne: false
            referencedRelation: 'automations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'automation_runs_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      automations: {
        Row: {
          after_days: number | null
          body: string
          campaign_id: string | null
          channel: string
          content_sid: string | null
          content_variables: NonNullable<Json>
          control_share: number | null
          created_at: string
          criteria: NonNullable<Json>
          deleted_at: string | null
          email_design: Json | null
          email_look: Json | null
          fallback_channel: string | null
          id: string
          location_ids: string[]
          name: string
          organization_id: string
          status: string
          step: number | null
          subject: string | null
          tags: string[]
          tier_ids: string[]
          type: string
          updated_at: string
          variant: string | null
          versions: NonNullable<Json>
        }
        ComputedFields: never
        Insert: {
          after_days?: number | null
          body?: string
          campaign_id?: string | null
          channel: string
          content_sid?: string | null
          content_variables?: NonNullable<Json>
          control_share?: number | null
          created_at?: string
          criteria?: NonNullable<Json>
          deleted_at?: string | null
          email_design?: Json | null
          email_look?: Json | null
          fallback_channel?: string | null
          id?: string
          location_ids?: string[]
          name: string
          organization_id: string
          status?: string
          step?: number | null
          subject?: string | null
          tags?: string[]
          tier_ids?: string[]
          type: string
          updated_at?: string
          variant?: string | null
          versions?: NonNullable<Json>
        }
        Update: {
          after_days?: number | null
          body?: string
          campaign_id?: string | null
          channel?: string
          content_sid?: string | null
          content_variables?: NonNullable<Json>
          control_share?: number | null
          created_at?: string
          criteria?: NonNullable<Json>
          deleted_at?: string | null
          email_design?: Json | null
          email_look?: Json | null
          fallback_channel?: string | null
          id?: string
          location_ids?: string[]
          name?: string
          organization_id?: string
          status?: string
          step?: number | null
          subject?: string | null
          tags?: string[]
          tier_ids?: string[]
          type?: string
          updated_at?: string
          variant?: string | null
          versions?: NonNullable<Json>
        }
        Relationships: [
          {
            foreignKeyName: 'automations_campaign_id_fkey'
            columns: ['campaign_id']
            isOneToOne: false
            referencedRelation: 'campaigns'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'automations_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      brands: {
        Row: {
          created_at: string
          id: string
          name: string
          organization_id: string
          postal_address: string | null
          slug: string
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          id?: string
          name: string
          organization_id: string
          postal_address?: string | null
          slug: string
        }
        Update: {
          created_at?: string
          id?: string
          name?: string
          organization_id?: string
          postal_address?: string | null
          slug?: string
        }
        Relationships: [
          {
            foreignKeyName: 'brands_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      calendar_events: {
        Row: {
          assignee_id: string | null
          created_at: string
          created_by: string | null
          customer_id: string | null
          description: string | null
          ends_at: string | null
          ends_on: string | null
          event_datetime: string
          id: string
          location_id: string | null
          notification_round: number
          notification_sent: boolean
          occurs_on: string | null
          organization_id: string
          own_fields: string[]
          reminder_minutes: number
          reminder_round: number
          reminder_sent: boolean
          series_id: string | null
          starts_on: string | null
          title: string
          updated_at: string
        }
        ComputedFields: never
        Insert: {
          assignee_id?: string | null
          created_at?: string
          created_by?: string | null
          customer_id?: string | null
          description?: string | null
          ends_at?: string | null
          ends_on?: string | null
          event_datetime: string
          id?: string
          location_id?: string | null
          notification_round?: number
          notification_sent?: boolean
          occurs_on?: string | null
          organization_id: string
          own_fields?: string[]
          reminder_minutes?: number
          reminder_round?: number
          reminder_sent?: boolean
          series_id?: string | null
          starts_on?: string | null
          title: string
          updated_at?: string
        }
        Update: {
          assignee_id?: string | null
          created_at?: string
          created_by?: string | null
          customer_id?: string | null
          description?: string | null
          ends_at?: string | null
          ends_on?: string | null
          event_datetime?: string
          id?: string
          location_id?: string | null
          notification_round?: number
          notification_sent?: boolean
          occurs_on?: string | null
          organization_id?: string
          own_fields?: string[]
          reminder_minutes?: number
          reminder_round?: number
          reminder_sent?: boolean
          series_id?: string | null
          starts_on?: string | null
          title?: string
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'calendar_events_assignee_id_fkey'
            columns: ['assignee_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'calendar_events_created_by_fkey'
            columns: ['created_by']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'calendar_events_customer_id_fkey'
            columns: ['customer_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'calendar_events_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'calendar_events_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      campaigns: {
        Row: {
          approved_at: string | null
          approved_by: string | null
          control_share: number | null
          created_at: string
          created_by: string | null
          created_by_name: string | null
          decided_at: string | null
          exclude_recent_days: number
          expires_at: string | null
          finished_at: string | null
          guests: number | null
          id: string
          launched_at: string | null
          launched_by: string | null
          launched_by_name: string | null
          location_ids: string[]
          name: string
          organization_id: string
          paused_by: string | null
          planned_at: string | null
          reason: string | null
          rest_planned_at: string | null
          segment_id: string | null
          segment_version: number | null
          started_at: string | null
          starts_local: string | null
          status: string
          stopped_by: string | null
          test_hours: number | null
          test_share: number | null
          undo_until: string | null
          updated_at: string
          version: number
          winner: string | null
          winner_by: string | null
          winner_reason: string | null
        }
        ComputedFields: never
        Insert: {
          approved_at?: string | null
          approved_by?: string | null
          control_share?: number | null
          created_at?: string
          created_by?: string | null
          created_by_name?: string | null
          decided_at?: string | null
          exclude_recent_days?: number
          expires_at?: string | null
          finished_at?: string | null
          guests?: number | null
          id?: string
          launched_at?: string | null
          launched_by?: string | null
          launched_by_name?: string | null
          location_ids?: string[]
          name: string
          organization_id: string
          paused_by?: string | null
          planned_at?: string | null
          reason?: string | null
          rest_planned_at?: string | null
          segment_id?: string | null
          segment_version?: number | null
          started_at?: string | null
          starts_local?: string | null
          status?: string
          stopped_by?: string | null
          test_hours?: number | null
          test_share?: number | null
          undo_until?: string | null
          updated_at?: string
          version?: number
          winner?: string | null
          winner_by?: string | null
          winner_reason?: string | null
        }
        Update: {
          approved_at?: string | null
          approved_by?: string | null
          control_share?: number | null
          created_at?: string
          created_by?: string | null
          created_by_name?: string | null
          decided_at?: string | null
          exclude_recent_days?: number
          expires_at?: string | null
          finished_at?: string | null
          guests?: number | null
          id?: string
          launched_at?: string | null
          launched_by?: string | null
          launched_by_name?: string | null
          location_ids?: string[]
          name?: string
          organization_id?: string
          paused_by?: string | null
          planned_at?: string | null
          reason?: string | null
          rest_planned_at?: string | null
          segment_id?: string | null
          segment_version?: number | null
          started_at?: string | null
          starts_local?: string | null
          status?: string
          stopped_by?: string | null
          test_hours?: number | null
          test_share?: number | null
          undo_until?: string | null
          updated_at?: string
          version?: number
          winner?: string | null
          winner_by?: string | null
          winner_reason?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'campaigns_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'campaigns_segment_id_fkey'
            columns: ['segment_id']
            isOneToOne: false
            referencedRelation: 'segments'
            referencedColumns: ['id']
          },
        ]
      }
      channel_pace: {
        Row: {
          channel: string
          next_at: string
          organization_id: string
          reason: string | null
        }
        ComputedFields: never
        Insert: {
          channel: string
          next_at: string
          organization_id: string
          reason?: string | null
        }
        Update: {
          channel?: string
          next_at?: string
          organization_id?: string
          reason?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'channel_pace_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      closed_days: {
        Row: {
          day: string
          id: string
          location_id: string
          name: string | null
          organization_id: string
          shift: string | null
          zone: string | null
        }
        ComputedFields: never
        Insert: {
          day: string
          id?: string
          location_id: string
          name?: string | null
          organization_id: string
          shift?: string | null
          zone?: string | null
        }
        Update: {
          day?: string
          id?: string
          location_id?: string
          name?: string | null
          organization_id?: string
          shift?: string | null
          zone?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'closed_days_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'closed_days_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      conversation_messages: {
        Row: {
          at: string
          conversation_id: string
          direction: string
          id: string
          media: string | null
          message_id: string | null
          organization_id: string
          provider_id: string | null
          sent_by: string | null
          text: string | null
          ticket_id: string | null
        }
        ComputedFields: never
        Insert: {
          at: string
          conversation_id: string
          direction: string
          id?: string
          media?: string | null
          message_id?: string | null
          organization_id: string
          provider_id?: string | null
          sent_by?: string | null
          text?: string | null
          ticket_id?: string | null
        }
        Update: {
          at?: string
          conversation_id?: string
          direction?: string
          id?: string
          media?: string | null
          message_id?: string | null
          organization_id?: string
          provider_id?: string | null
          sent_by?: string | null
          text?: string | null
          ticket_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'conversation_messages_conversation_id_fkey'
            columns: ['conversation_id']
            isOneToOne: false
            referencedRelation: 'conversations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'conversation_messages_message_id_fkey'
            columns: ['message_id']
            isOneToOne: false
            referencedRelation: 'messages'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'conversation_messages_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'conversation_messages_ticket_id_fkey'
            columns: ['ticket_id']
            isOneToOne: false
            referencedRelation: 'tickets'
            referencedColumns: ['id']
          },
        ]
      }
      conversations: {
        Row: {
          address: string
          channel: string
          customer_id: string | null
          id: string
          last_inbound_at: string
          last_message_at: string
          organization_id: string
          sender_name: string | null
          ticketed_on: string | null
          unread: number
        }
        ComputedFields: never
        Insert: {
          address: string
          channel: string
          customer_id?: string | null
          id?: string
          last_inbound_at: string
          last_message_at: string
          organization_id: string
          sender_name?: string | null
          ticketed_on?: string | null
          unread?: number
        }
        Update: {
          address?: string
          channel?: string
          customer_id?: string | null
          id?: string
          last_inbound_at?: string
          last_message_at?: string
          organization_id?: string
          sender_name?: string | null
          ticketed_on?: string | null
          unread?: number
        }
        Relationships: [
          {
            foreignKeyName: 'conversations_customer_id_fkey'
            columns: ['customer_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'conversations_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      customer_aliases: {
        Row: {
          created_at: string
          customer_id: string
          email: string | null
          id: string
          name: string | null
          organization_id: string
          phone: string | null
          whatsapp_id: string | null
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          customer_id: string
          email?: string | null
          id?: string
          name?: string | null
          organization_id: string
          phone?: string | null
          whatsapp_id?: string | null
        }
        Update: {
          created_at?: string
          customer_id?: string
          email?: string | null
          id?: string
          name?: string | null
          organization_id?: string
          phone?: string | null
          whatsapp_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'customer_aliases_customer_id_fkey'
            columns: ['customer_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'customer_aliases_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      customer_facts: {
        Row: {
          code: string
          customer_id: string
          kind: string
          note: string | null
          organization_id: string
          recorded_at: string
          recorded_by: string
        }
        ComputedFields: never
        Insert: {
          code: string
          customer_id: string
          kind: string
          note?: string | null
          organization_id: string
          recorded_at?: string
          recorded_by: string
        }
        Update: {
          code?: string
          customer_id?: string
          kind?: string
          note?: string | null
          organization_id?: string
          recorded_at?: string
          recorded_by?: string
        }
        Relationships: [
          {
            foreignKeyName: 'customer_facts_customer_id_fkey'
            columns: ['customer_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'customer_facts_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      customer_merges: {
        Row: {
          author_id: string | null
          author_name: string
          gone_id: string
          id: string
          kept_id: string
          merged_at: string
          organization_id: string
          undone_at: string | null
          undone_by: string | null
        }
        ComputedFields: never
        Insert: {
          author_id?: string | null
          author_name: string
          gone_id: string
          id?: string
          kept_id: string
          merged_at: string
          organization_id: string
          undone_at?: string | null
          undone_by?: string | null
        }
        Update: {
          author_id?: string | null
          author_name?: string
          gone_id?: string
          id?: string
          kept_id?: string
          merged_at?: string
          organization_id?: string
          undone_at?: string | null
          undone_by?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'customer_merges_author_id_fkey'
            columns: ['author_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'customer_merges_kept_id_fkey'
            columns: ['kept_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'customer_merges_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      customer_pairs: {
        Row: {
          author_id: string | null
          author_name: string
          decided_at: string
          first_id: string
          id: string
          organization_id: string
          second_id: string
          verdict: string
        }
        ComputedFields: never
        Insert: {
          author_id?: string | null
          author_name: string
          decided_at?: string
          first_id: string
          id?: string
          organization_id: string
          second_id: string
          verdict: string
        }
        Update: {
          author_id?: string | null
          author_name?: string
          decided_at?: string
          first_id?: string
          id?: string
          organization_id?: string
          second_id?: string
          verdict?: string
        }
        Relationships: [
          {
            foreignKeyName: 'customer_pairs_author_id_fkey'
            columns: ['author_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'customer_pairs_first_id_fkey'
            columns: ['first_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'customer_pairs_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'customer_pairs_second_id_fkey'
            columns: ['second_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
        ]
      }
      customer_rhythms: {
        Row: {
          at_risk_on: string | null
          customer_id: string
          first_day: string
          last_day: string
          lost_on: string | null
          organization_id: string
          usual_days: number | null
          visit_days: number
        }
        ComputedFields: never
        Insert: {
          at_risk_on?: string | null
          customer_id: string
          first_day: string
          last_day: string
          lost_on?: string | null
          organization_id: string
          usual_days?: number | null
          visit_days: number
        }
        Update: {
          at_risk_on?: string | null
          customer_id?: string
          first_day?: string
          last_day?: string
          lost_on?: string | null
          organization_id?: string
          usual_days?: number | null
          visit_days?: number
        }
        Relationships: [
          {
            foreignKeyName: 'customer_rhythms_customer_id_fkey'
            columns: ['customer_id']
            isOneToOne: true
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'customer_rhythms_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      customers: {
        Row: {
          address: string | null
          birth_date: string | null
          birth_day: number | null
          city: string | null
          company: string | null
          consents: NonNullable<Json>
          created_at: string
          email: string | null
          email_key: string | null
          first_name: string | null
          id: string
          job_title: string | null
          language: string | null
          last_name: string | null
          last_visit_at: string | null
          last_visit_on: string | null
          location_id: string | null
          loyalty_tier_id: string | null
          muted_brands: string[]
          notes: string | null
          organization_id: string
          phone: string | null
          points: number
          postal_code: string | null
          search_text: string
          sort_name: string
          sort_visit: string
          source: string | null
          spend_is_estimate: boolean
          tags: string[]
          total_spend: number
          total_visits: number
          updated_at: string
          whatsapp_id: string | null
          write_frequency: string | null
        }
        ComputedFields: never
        Insert: {
          address?: string | null
          birth_date?: string | null
          birth_day?: never
          city?: string | null
          company?: string | null
          consents?: NonNullable<Json>
          created_at?: string
          email?: string | null
          email_key?: never
          first_name?: string | null
          id?: string
          job_title?: string | null
          language?: string | null
          last_name?: string | null
          last_visit_at?: string | null
          last_visit_on?: string | null
          location_id?: string | null
          loyalty_tier_id?: string | null
          muted_brands?: string[]
          notes?: string | null
          organization_id: string
          phone?: string | null
          points?: number
          postal_code?: string | null
          search_text?: never
          sort_name?: never
          sort_visit?: never
          source?: string | null
          spend_is_estimate?: boolean
          tags?: string[]
          total_spend?: number
          total_visits?: number
          updated_at?: string
          whatsapp_id?: string | null
          write_frequency?: string | null
        }
        Update: {
          address?: string | null
          birth_date?: string | null
          birth_day?: never
          city?: string | null
          company?: string | null
          consents?: NonNullable<Json>
          created_at?: string
          email?: string | null
          email_key?: never
          first_name?: string | null
          id?: string
          job_title?: string | null
          language?: string | null
          last_name?: string | null
          last_visit_at?: string | null
          last_visit_on?: string | null
          location_id?: string | null
          loyalty_tier_id?: string | null
          muted_brands?: string[]
          notes?: string | null
          organization_id?: string
          phone?: string | null
          points?: number
          postal_code?: string | null
          search_text?: never
          sort_name?: never
          sort_visit?: never
          source?: string | null
          spend_is_estimate?: boolean
          tags?: string[]
          total_spend?: number
          total_visits?: number
          updated_at?: string
          whatsapp_id?: string | null
          write_frequency?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'customers_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'customers_loyalty_tier_id_fkey'
            columns: ['loyalty_tier_id']
            isOneToOne: false
            referencedRelation: 'loyalty_tiers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'customers_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      dining_tables: {
        Row: {
          capacity: number | null
          is_active: boolean
          joinable: boolean
          location_id: string
          name: string
          organization_id: string
          plan_x: number | null
          plan_y: number | null
          shape: string
          turned: boolean
          zone: string | null
        }
        ComputedFields: never
        Insert: {
          capacity?: number | null
          is_active?: boolean
          joinable?: boolean
          location_id: string
          name: string
          organization_id: string
          plan_x?: number | null
          plan_y?: number | null
          shape?: string
          turned?: boolean
          zone?: string | null
        }
        Update: {
          capacity?: number | null
          is_active?: boolean
          joinable?: boolean
          location_id?: string
          name?: string
          organization_id?: string
          plan_x?: number | null
          plan_y?: number | null
          shape?: string
          turned?: boolean
          zone?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'dining_tables_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'dining_tables_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      email_images: {
        Row: {
          bytes: number
          content_type: string
          created_at: string
          height: number
          id: string
          name: string
          organization_id: string
          path: string
          width: number
        }
        ComputedFields: never
        Insert: {
          bytes: number
          content_type: string
          created_at?: string
          height: number
          id?: string
          name: string
          organization_id: string
          path: string
          width: number
        }
        Update: {
          bytes?: number
          content_type?: string
          created_at?: string
          height?: number
          id?: string
          name?: string
          organization_id?: string
          path?: string
          width?: number
        }
        Relationships: [
          {
            foreignKeyName: 'email_images_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      email_looks: {
        Row: {
          brand_id: string | null
          button_color: string | null
          color: string | null
          footer: string | null
          from_email: string | null
          id: string
          logo: string | null
          organization_id: string
          reply_to: string | null
          sender_name: string | null
          updated_at: string
        }
        ComputedFields: never
        Insert: {
          brand_id?: string | null
          button_color?: string | null
          color?: string | null
          footer?: string | null
          from_email?: string | null
          id?: string
          logo?: string | null
          organization_id: string
          reply_to?: string | null
          sender_name?: string | null
          updated_at?: string
        }
        Update: {
          brand_id?: string | null
          button_color?: string | null
          color?: string | null
          footer?: string | null
          from_email?: string | null
          id?: string
          logo?: string | null
          organization_id?: string
          reply_to?: string | null
          sender_name?: string | null
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'email_looks_brand_id_fkey'
            columns: ['brand_id']
            isOneToOne: false
            referencedRelation: 'brands'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'email_looks_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      email_templates: {
        Row: {
          created_at: string
          design: NonNullable<Json>
          id: string
          name: string
          organization_id: string
          updated_at: string
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          design: NonNullable<Json>
          id?: string
          name: string
          organization_id: string
          updated_at?: string
        }
        Update: {
          created_at?: string
          design?: NonNullable<Json>
          id?: string
          name?: string
          organization_id?: string
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'email_templates_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      feedback: {
        Row: {
          answered_at: string
          changed_at: string | null
          customer_id: string | null
          id: string
          language: string
          location_id: string
          organization_id: string
          replied_at: string | null
          replied_by: string | null
          reply: string | null
          reply_message_id: string | null
          reservation_id: string
          score: number
          ticket_id: string | null
          ticket_opened_at: string | null
          words: string | null
        }
        ComputedFields: never
        Insert: {
          answered_at: string
          changed_at?: string | null
          customer_id?: string | null
          id?: string
          language: string
          location_id: string
          organization_id: string
          replied_at?: string | null
          replied_by?: string | null
          reply?: string | null
          reply_message_id?: string | null
          reservation_id: string
          score: number
          ticket_id?: string | null
          ticket_opened_at?: string | null
          words?: string | null
        }
        Update: {
          answered_at?: string
          changed_at?: string | null
          customer_id?: string | null
          id?: string
          language?: string
          location_id?: string
          organization_id?: string
          replied_at?: string | null
          replied_by?: string | null
          reply?: string | null
          reply_message_id?: string | null
          reservation_id?: string
          score?: number
          ticket_id?: string | null
          ticket_opened_at?: string | null
          words?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'feedback_customer_id_fkey'
            columns: ['customer_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'feedback_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'feedback_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'feedback_reply_message_id_fkey'
            columns: ['reply_message_id']
            isOneToOne: false
            referencedRelation: 'messages'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'feedback_reservation_id_fkey'
            columns: ['reservation_id']
            isOneToOne: true
            referencedRelation: 'reservations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'feedback_ticket_id_fkey'
            columns: ['ticket_id']
            isOneToOne: false
            referencedRelation: 'tickets'
            referencedColumns: ['id']
          },
        ]
      }
      identity_pairs: {
        Row: {
          certain: boolean
          first_id: string
          organization_id: string
          probability: number
          reasons: NonNullable<Json>
          scored_at: string
          second_id: string
        }
        ComputedFields: never
        Insert: {
          certain?: boolean
          first_id: string
          organization_id: string
          probability: number
          reasons: NonNullable<Json>
          scored_at?: string
          second_id: string
        }
        Update: {
          certain?: boolean
          first_id?: string
          organization_id?: string
          probability?: number
          reasons?: NonNullable<Json>
          scored_at?: string
          second_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'identity_pairs_first_id_fkey'
            columns: ['first_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'identity_pairs_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'identity_pairs_second_id_fkey'
            columns: ['second_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
        ]
      }
      identity_settings: {
        Row: {
          certain: number
          learned_at: string | null
          learned_from: number
          likely: number
          organization_id: string
          prior: number
          queued_to: string | null
        }
        ComputedFields: never
        Insert: {
          certain?: number
          learned_at?: string | null
          learned_from?: number
          likely?: number
          organization_id: string
          prior?: number
          queued_to?: string | null
        }
        Update: {
          certain?: number
          learned_at?: string | null
          learned_from?: number
          likely?: number
          organization_id?: string
          prior?: number
          queued_to?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'identity_settings_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: true
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      identity_weights: {
        Row: {
          field: string
          label: string
          learned_at: string
          level: number
          m: number
          organization_id: string
          u: number
        }
        ComputedFields: never
        Insert: {
          field: string
          label: string
          learned_at?: string
          level: number
          m: number
          organization_id: string
          u: number
        }
        Update: {
          field?: string
          label?: string
          learned_at?: string
          level?: number
          m?: number
          organization_id?: string
          u?: number
        }
        Relationships: [
          {
            foreignKeyName: 'identity_weights_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      import_runs: {
        Row: {
          consent: string
          created: number
          error_count: number
          errors: NonNullable<Json>
          failed_row_count: number
          failed_rows: Json | null
          file_name: string
          finished_at: string | null
          id: string
          imported: number
          incomplete: number
          location_id: string | null
          organization_id: string
          processed: number
          profile_id: string | null
          repeated: number
          started_at: string
          status: string
          total: number
          updated: number
        }
        ComputedFields: never
        Insert: {
          consent?: string
          created?: number
          error_count?: number
          errors?: NonNullable<Json>
          failed_row_count?: number
          failed_rows?: Json | null
          file_name: string
          finished_at?: string | null
          id?: string
          imported?: number
          incomplete?: number
          location_id?: string | null
          organization_id: string
          processed?: number
          profile_id?: string | null
          repeated?: number
          started_at?: string
          status?: string
          total?: number
          updated?: number
        }
        Update: {
          consent?: string
          created?: number
          error_count?: number
          errors?: NonNullable<Json>
          failed_row_count?: number
          failed_rows?: Json | null
          file_name?: string
          finished_at?: string | null
          id?: string
          imported?: number
          incomplete?: number
          location_id?: string | null
          organization_id?: string
          processed?: number
          profile_id?: string | null
          repeated?: number
          started_at?: string
          status?: string
          total?: number
          updated?: number
        }
        Relationships: [
          {
            foreignKeyName: 'import_runs_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'import_runs_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'import_runs_profile_id_fkey'
            columns: ['profile_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      integration_configs: {
        Row: {
          address: string
          config: NonNullable<Json>
          created_at: string
          id: string
          integration_type: Database['public']['Enums']['integration_type']
          is_enabled: boolean
          organization_id: string
          secrets: NonNullable<Json>
          updated_at: string
        }
        ComputedFields: never
        Insert: {
          address?: string
          config?: NonNullable<Json>
          created_at?: string
          id?: string
          integration_type: Database['public']['Enums']['integration_type']
          is_enabled?: boolean
          organization_id: string
          secrets?: NonNullable<Json>
          updated_at?: string
        }
        Update: {
          address?: string
          config?: NonNullable<Json>
          created_at?: string
          id?: string
          integration_type?: Database['public']['Enums']['integration_type']
          is_enabled?: boolean
          organization_id?: string
          secrets?: NonNullable<Json>
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'integration_configs_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      integration_tests: {
        Row: {
          kind: string
          organization_id: string
          reason: string | null
          tested_at: string
          tested_by: string | null
        }
        ComputedFields: never
        Insert: {
          kind: string
          organization_id: string
          reason?: string | null
          tested_at?: string
          tested_by?: string | null
        }
        Update: {
          kind?: string
          organization_id?: string
          reason?: string | null
          tested_at?: string
          tested_by?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'integration_tests_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'integration_tests_tested_by_fkey'
            columns: ['tested_by']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      invitations: {
        Row: {
          accepted_at: string | null
          claimed_by: string | null
          created_at: string
          email: string
          expires_at: string
          full_name: string | null
          id: string
          invited_by: string[]
          location_ids: string[]
          mail: string | null
          organization_id: string
          role: string
          token_hash: string | null
        }
        ComputedFields: never
        Insert: {
          accepted_at?: string | null
          claimed_by?: string | null
          created_at?: string
          email: string
          expires_at?: string
          full_name?: string | null
          id?: string
          invited_by?: string[]
          location_ids?: string[]
          mail?: string | null
          organization_id: string
          role: string
          token_hash?: string | null
        }
        Update: {
          accepted_at?: string | null
          claimed_by?: string | null
          created_at?: string
          email?: string
          expires_at?: string
          full_name?: string | null
          id?: string
          invited_by?: string[]
          location_ids?: string[]
          mail?: string | null
          organization_id?: string
          role?: string
          token_hash?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'invitations_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      job_leases: {
        Row: {
          expires_at: string
          holder: string
          name: string
        }
        ComputedFields: never
        Insert: {
          expires_at: string
          holder: string
          name: string
        }
        Update: {
          expires_at?: string
          holder?: string
          name?: string
        }
        Relationships: []
      }
      job_runs: {
        Row: {
          finished_at: string | null
          id: string
          job: string
          organization_id: string | null
          result: NonNullable<Json>
          started_at: string
          status: string
        }
        ComputedFields: never
        Insert: {
          finished_at?: string | null
          id?: string
          job: string
          organization_id?: string | null
          result?: NonNullable<Json>
          started_at?: string
          status?: string
        }
        Update: {
          finished_at?: string | null
          id?: string
          job?: string
          organization_id?: string | null
          result?: NonNullable<Json>
          started_at?: string
          status?: string
        }
        Relationships: [
          {
            foreignKeyName: 'job_runs_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      locations: {
        Row: {
          address: string | null
          ahead_tried_at: string | null
          ahead_until: string | null
          average_spend_per_guest: number | null
          brand_id: string | null
          city: string | null
          count_unmarked_visits: boolean
          created_at: string
          id: string
          is_active: boolean
          known_from: string | null
          known_until: string | null
          looked_ahead_at: string | null
          name: string
          organization_id: string
          pms_id: string | null
          quiet_from: string | null
          quiet_until: string | null
          recount_from: string | null
          refresh_from: string | null
          review_urls: string[]
          stay_minutes: Json | null
          sync_failing_since: string | null
          sync_failure: string | null
          synced_at: string | null
          timezone: string
        }
        ComputedFields: never
        Insert: {
          address?: string | null
          ahead_tried_at?: string | null
          ahead_until?: string | null
          average_spend_per_guest?: number | null
          brand_id?: string | null
          city?: string | null
          count_unmarked_visits?: boolean
          created_at?: string
          id?: string
          is_active?: boolean
          known_from?: string | null
          known_until?: string | null
          looked_ahead_at?: string | null
          name: string
          organization_id: string
          pms_id?: string | null
          quiet_from?: string | null
          quiet_until?: string | null
          recount_from?: string | null
          refresh_from?: string | null
          review_urls?: string[]
          stay_minutes?: Json | null
          sync_failing_since?: string | null
          sync_failure?: string | null
          synced_at?: string | null
          timezone?: string
        }
        Update: {
          address?: string | null
          ahead_tried_at?: string | null
          ahead_until?: string | null
          average_spend_per_guest?: number | null
          brand_id?: string | null
          city?: string | null
          count_unmarked_visits?: boolean
          created_at?: string
          id?: string
          is_active?: boolean
          known_from?: string | null
          known_until?: string | null
          looked_ahead_at?: string | null
          name?: string
          organization_id?: string
          pms_id?: string | null
          quiet_from?: string | null
          quiet_until?: string | null
          recount_from?: string | null
          refresh_from?: string | null
          review_urls?: string[]
          stay_minutes?: Json | null
          sync_failing_since?: string | null
          sync_failure?: string | null
          synced_at?: string | null
          timezone?: string
        }
        Relationships: [
          {
            foreignKeyName: 'locations_brand_id_fkey'
            columns: ['brand_id']
            isOneToOne: false
            referencedRelation: 'brands'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'locations_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      loyalty_configs: {
        Row: {
          organization_id: string
          tiers: NonNullable<Json>
          updated_at: string
        }
        ComputedFields: never
        Insert: {
          organization_id: string
          tiers: NonNullable<Json>
          updated_at?: string
        }
        Update: {
          organization_id?: string
          tiers?: NonNullable<Json>
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'loyalty_configs_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: true
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      loyalty_points: {
        Row: {
          amount: number | null
          amount_is_estimate: boolean
          author: string | null
          author_name: string | null
          created_at: string
          customer_id: string
          id: string
          kind: string
          multiplier: number | null
          organization_id: string
          points: number
          reason: string | null
          reservation_id: string | null
        }
        ComputedFields: never
        Insert: {
          amount?: number | null
          amount_is_estimate?: boolean
          author?: string | null
          author_name?: string | null
          created_at?: string
          customer_id: string
          id?: string
          kind: string
          multiplier?: number | null
          organization_id: string
          points: number
          reason?: string | null
          reservation_id?: string | null
        }
        Update: {
          amount?: number | null
          amount_is_estimate?: boolean
          author?: string | null
          author_name?: string | null
          created_at?: string
          customer_id?: string
          id?: string
          kind?: string
          multiplier?: number | null
          organization_id?: string
          points?: number
          reason?: string | null
          reservation_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'loyalty_points_author_fkey'
            columns: ['author']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'loyalty_points_customer_id_fkey'
            columns: ['customer_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'loyalty_points_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'loyalty_points_reservation_id_fkey'
            columns: ['reservation_id']
            isOneToOne: false
            referencedRelation: 'reservations'
            referencedColumns: ['id']
          },
        ]
      }
      loyalty_rules: {
        Row: {
          location_id: string
          min_spend: number
          min_visits: number
          tier_id: string
          updated_at: string
        }
        ComputedFields: never
        Insert: {
          location_id: string
          min_spend?: number
          min_visits?: number
          tier_id: string
          updated_at?: string
        }
        Update: {
          location_id?: string
          min_spend?: number
          min_visits?: number
          tier_id?: string
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'loyalty_rules_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'loyalty_rules_tier_id_fkey'
            columns: ['tier_id']
            isOneToOne: false
            referencedRelation: 'loyalty_tiers'
            referencedColumns: ['id']
          },
        ]
      }
      loyalty_tiers: {
        Row: {
          created_at: string
          id: string
          name: string
          organization_id: string
          points_multiplier: number
          rank: number
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          id?: string
          name: string
          organization_id: string
          points_multiplier?: number
          rank: number
        }
        Update: {
          created_at?: string
          id?: string
          name?: string
          organization_id?: string
          points_multiplier?: number
          rank?: number
        }
        Relationships: [
          {
            foreignKeyName: 'loyalty_tiers_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      message_engagement: {
        Row: {
          actor: string
          first_at: string
          kind: string
          link: string
          message_id: string
          times: number
        }
        ComputedFields: never
        Insert: {
          actor: string
          first_at: string
          kind: string
          link: string
          message_id: string
          times: number
        }
        Update: {
          actor?: string
          first_at?: string
          kind?: string
          link?: string
          message_id?: string
          times?: number
        }
        Relationships: [
          {
            foreignKeyName: 'message_engagement_message_id_fkey'
            columns: ['message_id']
            isOneToOne: false
            referencedRelation: 'messages'
            referencedColumns: ['id']
          },
        ]
      }
      messages: {
        Row: {
          about_id: string | null
          about_type: string | null
          attempts: number
          automation_id: string | null
          channel: string
          complained_at: string | null
          content: NonNullable<Json>
          created_at: string
          customer_id: string | null
          dedupe_key: string
          delivered_at: string | null
          detail: Json | null
          frozen_at: string | null
          id: string
          idempotency_key: string | null
          kind: string
          lease_token: string | null
          lease_until: string | null
          location_id: string | null
          maybe_accepted: boolean
          not_before: string
          organization_id: string
          provider: string | null
          provider_id: string | null
          purpose: string
          reason: string | null
          recipient: string | null
          reservation_id: string | null
          run_id: string | null
          sent_at: string | null
          simulated: boolean
          status: string
          superseded_at: string | null
          unsubscribed_at: string | null
          updated_at: string
        }
        ComputedFields: never
        Insert: {
          about_id?: string | null
          about_type?: string | null
          attempts?: number
          automation_id?: string | null
          channel: string
          complained_at?: string | null
          content?: NonNullable<Json>
          created_at?: string
          customer_id?: string | null
          dedupe_key: string
          delivered_at?: string | null
          detail?: Json | null
          frozen_at?: string | null
          id?: string
          idempotency_key?: string | null
          kind: string
          lease_token?: string | null
          lease_until?: string | null
          location_id?: string | null
          maybe_accepted?: boolean
          not_before?: string
          organization_id: string
          provider?: string | null
          provider_id?: string | null
          purpose: string
          reason?: string | null
          recipient?: string | null
          reservation_id?: string | null
          run_id?: string | null
          sent_at?: string | null
          simulated?: never
          status?: string
          superseded_at?: string | null
          unsubscribed_at?: string | null
          updated_at?: string
        }
        Update: {
          about_id?: string | null
          about_type?: string | null
          attempts?: number
          automation_id?: string | null
          channel?: string
          complained_at?: string | null
          content?: NonNullable<Json>
          created_at?: string
          customer_id?: string | null
          dedupe_key?: string
          delivered_at?: string | null
          detail?: Json | null
          frozen_at?: string | null
          id?: string
          idempotency_key?: string | null
          kind?: string
          lease_token?: string | null
          lease_until?: string | null
          location_id?: string | null
          maybe_accepted?: boolean
          not_before?: string
          organization_id?: string
          provider?: string | null
          provider_id?: string | null
          purpose?: string
          reason?: string | null
          recipient?: string | null
          reservation_id?: string | null
          run_id?: string | null
          sent_at?: string | null
          simulated?: never
          status?: string
          superseded_at?: string | null
          unsubscribed_at?: string | null
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'messages_automation_id_fkey'
            columns: ['automation_id']
            isOneToOne: false
            referencedRelation: 'automations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'messages_customer_id_fkey'
            columns: ['customer_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'messages_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'messages_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'messages_reservation_id_fkey'
            columns: ['reservation_id']
            isOneToOne: false
            referencedRelation: 'reservations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'messages_run_id_fkey'
            columns: ['run_id']
            isOneToOne: false
            referencedRelation: 'automation_runs'
            referencedColumns: ['id']
          },
        ]
      }
      organizations: {
        Row: {
          ai_daily_calls: number
          ai_daily_calls_per_person: number
          ai_daily_tokens: number
          ai_daily_tokens_per_person: number
          approve_above: number | null
          campaign_approve_above: number | null
          control_share: number
          created_at: string
          frequency_cap_days: number
          horizon_days: number | null
          id: string
          keep_automation_runs_days: number
          keep_failed_rows_days: number
          keep_job_runs_days: number
          keep_webhook_receipts_days: number
          language: string
          limit_marketing_to_roles: boolean
          name: string
          offer_tables_minutes: number | null
          pending: NonNullable<Json>
          postal_address: string | null
          quiet_from: string
          quiet_until: string
          require_second_factor: boolean
          sending_stopped_at: string | null
          sending_stopped_by: string | null
          show_setup: boolean
          slug: string
          sms_price: number | null
          timezone: string
        }
        ComputedFields: never
        Insert: {
          ai_daily_calls?: number
          ai_daily_calls_per_person?: number
          ai_daily_tokens?: number
          ai_daily_tokens_per_person?: number
          approve_above?: number | null
          campaign_approve_above?: number | null
          control_share?: number
          created_at?: string
          frequency_cap_days?: number
          horizon_days?: number | null
          id?: string
          keep_automation_runs_days?: number
          keep_failed_rows_days?: number
          keep_job_runs_days?: number
          keep_webhook_receipts_days?: number
          language?: string
          limit_marketing_to_roles?: boolean
          name: string
          offer_tables_minutes?: number | null
          pending?: NonNullable<Json>
          postal_address?: string | null
          quiet_from?: string
          quiet_until?: string
          require_second_factor?: boolean
          sending_stopped_at?: string | null
          sending_stopped_by?: string | null
          show_setup?: boolean
          slug: string
          sms_price?: number | null
          timezone?: string
        }
        Update: {
          ai_daily_calls?: number
          ai_daily_calls_per_person?: number
          ai_daily_tokens?: number
          ai_daily_tokens_per_person?: number
          approve_above?: number | null
          campaign_approve_above?: number | null
          control_share?: number
          created_at?: string
          frequency_cap_days?: number
          horizon_days?: number | null
          id?: string
          keep_automation_runs_days?: number
          keep_failed_rows_days?: number
          keep_job_runs_days?: number
          keep_webhook_receipts_days?: number
          language?: string
          limit_marketing_to_roles?: boolean
          name?: string
          offer_tables_minutes?: number | null
          pending?: NonNullable<Json>
          postal_address?: string | null
          quiet_from?: string
          quiet_until?: string
          require_second_factor?: boolean
          sending_stopped_at?: string | null
          sending_stopped_by?: string | null
          show_setup?: boolean
          slug?: string
          sms_price?: number | null
          timezone?: string
        }
        Relationships: []
      }
      profile_locations: {
        Row: {
          location_id: string
          profile_id: string
        }
        ComputedFields: never
        Insert: {
          location_id: string
          profile_id: string
        }
        Update: {
          location_id?: string
          profile_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'profile_locations_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'profile_locations_profile_id_fkey'
            columns: ['profile_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      profiles: {
        Row: {
          created_at: string
          email: string
          full_name: string | null
          id: string
          morning_mail_hour: number | null
          organization_id: string
          role: string
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          email: string
          full_name?: string | null
          id: string
          morning_mail_hour?: number | null
          organization_id: string
          role: string
        }
        Update: {
          created_at?: string
          email?: string
          full_name?: string | null
          id?: string
          morning_mail_hour?: number | null
          organization_id?: string
          role?: string
        }
        Relationships: [
          {
            foreignKeyName: 'profiles_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      push_subscriptions: {
        Row: {
          auth: string
          browser: string | null
          created_at: string
          endpoint: string
          id: string
          kinds: string[]
          language: string
          last_success_at: string | null
          organization_id: string
          p256dh: string
          profile_id: string
          session_id: string
          system: string | null
        }
        ComputedFields: never
        Insert: {
          auth: string
          browser?: string | null
          created_at?: string
          endpoint: string
          id?: string
          kinds: string[]
          language?: string
          last_success_at?: string | null
          organization_id: string
          p256dh: string
          profile_id: string
          session_id: string
          system?: string | null
        }
        Update: {
          auth?: string
          browser?: string | null
          created_at?: string
          endpoint?: string
          id?: string
          kinds?: string[]
          language?: string
          last_success_at?: string | null
          organization_id?: string
          p256dh?: string
          profile_id?: string
          session_id?: string
          system?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'push_subscriptions_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'push_subscriptions_profile_id_fkey'
            columns: ['profile_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      rate_limits: {
        Row: {
          hits: number
          key: string
          touched_at: string
          window_start: string
        }
        ComputedFields: never
        Insert: {
          hits: number
          key: string
          touched_at: string
          window_start: string
        }
        Update: {
          hits?: number
          key?: string
          touched_at?: string
          window_start?: string
        }
        Relationships: []
      }
      reservations: {
        Row: {
          arrived_at: string | null
          counts_unmarked: boolean
          created_at: string
          customer_email: string | null
          customer_id: string | null
          customer_name: string | null
          customer_phone: string | null
          email_unread: boolean
          erased_at: string | null
          external_id: string | null
          finished_at: string | null
          guest_answer: string | null
          guest_answered_at: string | null
          id: string
          joined_to: string | null
          late_minutes: number | null
          location_id: string
          notes: string | null
          organization_id: string
          party_size: number
          pms_status: string | null
          reservation_date: string
          reservation_time: string
          search_name: string
          seated_at: string | null
          service_date: string
          service_order: string
          service_over: boolean
          source: string
          staff_marks: NonNullable<Json>
          status: string
          table_name: string | null
          total_amount: number | null
          updated_at: string
          visited: boolean | null
          walk_in: boolean
          zone_name: string | null
        }
        ComputedFields: never
        Insert: {
          arrived_at?: string | null
          counts_unmarked?: boolean
          created_at?: string
          customer_email?: string | null
          customer_id?: string | null
          customer_name?: string | null
          customer_phone?: string | null
          email_unread?: boolean
          erased_at?: string | null
          external_id?: string | null
          finished_at?: string | null
          guest_answer?: string | null
          guest_answered_at?: string | null
          id?: string
          joined_to?: string | null
          late_minutes?: number | null
          location_id: string
          notes?: string | null
          organization_id: string
          party_size: number
          pms_status?: string | null
          reservation_date: string
          reservation_time: string
          search_name?: never
          seated_at?: string | null
          service_date?: never
          service_order?: never
          service_over?: boolean
          source?: string
          staff_marks?: NonNullable<Json>
          status?: string
          table_name?: string | null
          total_amount?: number | null
          updated_at?: string
          visited?: never
          walk_in?: boolean
          zone_name?: string | null
        }
        Update: {
          arrived_at?: string | null
          counts_unmarked?: boolean
          created_at?: string
          customer_email?: string | null
          customer_id?: string | null
          customer_name?: string | null
          customer_phone?: string | null
          email_unread?: boolean
          erased_at?: string | null
          external_id?: string | null
          finished_at?: string | null
          guest_answer?: string | null
          guest_answered_at?: string | null
          id?: string
          joined_to?: string | null
          late_minutes?: number | null
          location_id?: string
          notes?: string | null
          organization_id?: string
          party_size?: number
          pms_status?: string | null
          reservation_date?: string
          reservation_time?: string
          search_name?: never
          seated_at?: string | null
          service_date?: never
          service_order?: never
          service_over?: boolean
          source?: string
          staff_marks?: NonNullable<Json>
          status?: string
          table_name?: string | null
          total_amount?: number | null
          updated_at?: string
          visited?: never
          walk_in?: boolean
          zone_name?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'reservations_customer_id_fkey'
            columns: ['customer_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'reservations_joined_to_fkey'
            columns: ['joined_to']
            isOneToOne: false
            referencedRelation: 'reservations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'reservations_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'reservations_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      retired_keys: {
        Row: {
          created_at: string
          id: string
          sealed: string
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          id: string
          sealed: string
        }
        Update: {
          created_at?: string
          id?: string
          sealed?: string
        }
        Relationships: []
      }
      rhythm_models: {
        Row: {
          a: number
          alpha: number
          apply_after: string | null
          b: number
          fitted_at: string | null
          guests: number
          organization_id: string
          r: number
          recency_cuts: number[]
          spend_cuts: number[]
          visit_cuts: number[]
        }
        ComputedFields: never
        Insert: {
          a: number
          alpha: number
          apply_after?: string | null
          b: number
          fitted_at?: string | null
          guests: number
          organization_id: string
          r: number
          recency_cuts: number[]
          spend_cuts: number[]
          visit_cuts: number[]
        }
        Update: {
          a?: number
          alpha?: number
          apply_after?: string | null
          b?: number
          fitted_at?: string | null
          guests?: number
          organization_id?: string
          r?: number
          recency_cuts?: number[]
          spend_cuts?: number[]
          visit_cuts?: number[]
        }
        Relationships: [
          {
            foreignKeyName: 'rhythm_models_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: true
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      segments: {
        Row: {
          created_at: string
          definition: NonNullable<Json>
          id: string
          name: string
          organization_id: string
          owner_id: string | null
          shared: boolean
          updated_at: string
          version: number
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          definition: NonNullable<Json>
          id?: string
          name: string
          organization_id: string
          owner_id?: string | null
          shared?: boolean
          updated_at?: string
          version?: number
        }
        Update: {
          created_at?: string
          definition?: NonNullable<Json>
          id?: string
          name?: string
          organization_id?: string
          owner_id?: string | null
          shared?: boolean
          updated_at?: string
          version?: number
        }
        Relationships: [
          {
            foreignKeyName: 'segments_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'segments_owner_id_fkey'
            columns: ['owner_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      setup_skips: {
        Row: {
          organization_id: string
          skipped_at: string
          skipped_by: string | null
          step: string
        }
        ComputedFields: never
        Insert: {
          organization_id: string
          skipped_at?: string
          skipped_by?: string | null
          step: string
        }
        Update: {
          organization_id?: string
          skipped_at?: string
          skipped_by?: string | null
          step?: string
        }
        Relationships: [
          {
            foreignKeyName: 'setup_skips_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'setup_skips_skipped_by_fkey'
            columns: ['skipped_by']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      shift_notes: {
        Row: {
          author_id: string | null
          author_name: string
          body: string
          created_at: string
          day: string
          edited_at: string | null
          id: string
          location_id: string
          organization_id: string
        }
        ComputedFields: never
        Insert: {
          author_id?: string | null
          author_name: string
          body: string
          created_at?: string
          day: string
          edited_at?: string | null
          id?: string
          location_id: string
          organization_id: string
        }
        Update: {
          author_id?: string | null
          author_name?: string
          body?: string
          created_at?: string
          day?: string
          edited_at?: string | null
          id?: string
          location_id?: string
          organization_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'shift_notes_author_id_fkey'
            columns: ['author_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'shift_notes_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'shift_notes_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      shifts: {
        Row: {
          capacity: number | null
          closes: string
          closes_at: number
          id: string
          location_id: string
          name: string
          opens: string
          opens_at: number
          organization_id: string
          weekdays: number[]
        }
        ComputedFields: never
        Insert: {
          capacity?: number | null
          closes: string
          closes_at?: never
          id?: string
          location_id: string
          name: string
          opens: string
          opens_at?: never
          organization_id: string
          weekdays: number[]
        }
        Update: {
          capacity?: number | null
          closes?: string
          closes_at?: never
          id?: string
          location_id?: string
          name?: string
          opens?: string
          opens_at?: never
          organization_id?: string
          weekdays?: number[]
        }
        Relationships: [
          {
            foreignKeyName: 'shifts_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'shifts_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      suppressions: {
        Row: {
          address: string
          author: string | null
          channel: string
          created_at: string
          id: string
          note: string | null
          opt_out: string | null
          organization_id: string
          reason: string
        }
        ComputedFields: never
        Insert: {
          address: string
          author?: string | null
          channel: string
          created_at?: string
          id?: string
          note?: string | null
          opt_out?: string | null
          organization_id: string
          reason: string
        }
        Update: {
          address?: string
          author?: string | null
          channel?: string
          created_at?: string
          id?: string
          note?: string | null
          opt_out?: string | null
          organization_id?: string
          reason?: string
        }
        Relationships: [
          {
            foreignKeyName: 'suppressions_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      ticket_changes: {
        Row: {
          after: string | null
          author_id: string | null
          author_name: string | null
          before: string | null
          created_at: string
          field: string
          id: string
          ticket_id: string
        }
        ComputedFields: never
        Insert: {
          after?: string | null
          author_id?: string | null
          author_name?: string | null
          before?: string | null
          created_at?: string
          field: string
          id?: string
          ticket_id: string
        }
        Update: {
          after?: string | null
          author_id?: string | null
          author_name?: string | null
          before?: string | null
          created_at?: string
          field?: string
          id?: string
          ticket_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'ticket_changes_author_id_fkey'
            columns: ['author_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'ticket_changes_ticket_id_fkey'
            columns: ['ticket_id']
            isOneToOne: false
            referencedRelation: 'tickets'
            referencedColumns: ['id']
          },
        ]
      }
      ticket_comments: {
        Row: {
          author_id: string | null
          author_name: string
          body: string
          created_at: string
          id: string
          ticket_id: string
        }
        ComputedFields: never
        Insert: {
          author_id?: string | null
          author_name: string
          body: string
          created_at?: string
          id?: string
          ticket_id: string
        }
        Update: {
          author_id?: string | null
          author_name?: string
          body?: string
          created_at?: string
          id?: string
          ticket_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'ticket_comments_author_id_fkey'
            columns: ['author_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'ticket_comments_ticket_id_fkey'
            columns: ['ticket_id']
            isOneToOne: false
            referencedRelation: 'tickets'
            referencedColumns: ['id']
          },
        ]
      }
      tickets: {
        Row: {
          assignee_id: string | null
          changes: number
          created_at: string
          customer_id: string | null
          description: string | null
          id: string
          location_id: string | null
          notified_at: string | null
          notified_changes: number
          number: number
          organization_id: string
          priority: string
          requester_id: string | null
          reservation_id: string | null
          resolved_at: string | null
          search_text: string
          sla_due_at: string
          sla_reminded_at: string | null
          status: string
          subject: string
          updated_at: string
        }
        ComputedFields: never
        Insert: {
          assignee_id?: string | null
          changes?: number
          created_at?: string
          customer_id?: string | null
          description?: string | null
          id?: string
          location_id?: string | null
          notified_at?: string | null
          notified_changes?: number
          number?: number
          organization_id: string
          priority?: string
          requester_id?: string | null
          reservation_id?: string | null
          resolved_at?: string | null
          search_text?: never
          sla_due_at?: string
          sla_reminded_at?: string | null
          status?: string
          subject: string
          updated_at?: string
        }
        Update: {
          assignee_id?: string | null
          changes?: number
          created_at?: string
          customer_id?: string | null
          description?: string | null
          id?: string
          location_id?: string | null
          notified_at?: string | null
          notified_changes?: number
          number?: number
          organization_id?: string
          priority?: string
          requester_id?: string | null
          reservation_id?: string | null
          resolved_at?: string | null
          search_text?: never
          sla_due_at?: string
          sla_reminded_at?: string | null
          status?: string
          subject?: string
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'tickets_assignee_id_fkey'
            columns: ['assignee_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'tickets_customer_id_fkey'
            columns: ['customer_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'tickets_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'tickets_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'tickets_requester_id_fkey'
            columns: ['requester_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'tickets_reservation_id_fkey'
            columns: ['reservation_id']
            isOneToOne: false
            referencedRelation: 'reservations'
            referencedColumns: ['id']
          },
        ]
      }
      waitlist: {
        Row: {
          called_at: string | null
          ended_at: string | null
          id: string
          joined_at: string
          location_id: string
          message_id: string | null
          name: string
          notes: string | null
          organization_id: string
          outcome: string | null
          party_size: number
          phone: string | null
          quoted_minutes: number | null
        }
        ComputedFields: never
        Insert: {
          called_at?: string | null
          ended_at?: string | null
          id?: string
          joined_at?: string
          location_id: string
          message_id?: string | null
          name: string
          notes?: string | null
          organization_id: string
          outcome?: string | null
          party_size: number
          phone?: string | null
          quoted_minutes?: number | null
        }
        Update: {
          called_at?: string | null
          ended_at?: string | null
          id?: string
          joined_at?: string
          location_id?: string
          message_id?: string | null
          name?: string
          notes?: string | null
          organization_id?: string
          outcome?: string | null
          party_size?: number
          phone?: string | null
          quoted_minutes?: number | null
        }
        Relationships: [
          {
            foreignKeyName: 'waitlist_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'waitlist_message_id_fkey'
            columns: ['message_id']
            isOneToOne: false
            referencedRelation: 'messages'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'waitlist_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      webhook_calls: {
        Row: {
          heard_at: string | null
          organization_id: string
          provider: Database['public']['Enums']['integration_type']
          refused_at: string | null
        }
        ComputedFields: never
        Insert: {
          heard_at?: string | null
          organization_id: string
          provider: Database['public']['Enums']['integration_type']
          refused_at?: string | null
        }
        Update: {
          heard_at?: string | null
          organization_id?: string
          provider?: Database['public']['Enums']['integration_type']
          refused_at?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'webhook_calls_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      webhook_receipts: {
        Row: {
          opens: boolean
          organization_id: string
          receipt: string
          received_at: string
        }
        ComputedFields: never
        Insert: {
          opens?: boolean
          organization_id: string
          receipt: string
          received_at?: string
        }
        Update: {
          opens?: boolean
          organization_id?: string
          receipt?: string
          received_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'webhook_receipts_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      whatsapp_windows: {
        Row: {
          address: string
          last_inbound_at: string
          organization_id: string
          whatsapp_id: string | null
        }
        ComputedFields: never
        Insert: {
          address: string
          last_inbound_at: string
          organization_id: string
          whatsapp_id?: string | null
        }
        Update: {
          address?: string
          last_inbound_at?: string
          organization_id?: string
          whatsapp_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'whatsapp_windows_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
    }
    Views: {
      [_ in never]: never
    }
    Functions: {
      /**
       * Lets a signed-in user without profile join with the token of an open invitation of their e-mail; false without one.
       * supabase/logic/access/invitations.sql
       */
      accept_invitation: { Args: { p_token: string }; Returns: boolean }
      /**
       * True when the holder now has the lease for p_seconds; the same holder renews.
       * supabase/logic/jobs/runs.sql
       */
      acquire_lease: { Args: { p_holder: string; p_name: string; p_seconds: number }; Returns: boolean }
      /**
       * Closes a day of a location, or a shift or zone of it {day, shift, zone, reason}: saved (with closing, and the reservations it concerns in order of time), not_found, repeated, full (2,000), unknown_shift or unknown_zone.
       * supabase/logic/service/closings.sql
       */
      add_closing: { Args: { p_closing: Json; p_location: string }; Returns: Json }
      /**
       * The caller's note about a service day of a location, by default the current one: saved (with the note), not_found, bad_day (in the future, or over a week ago) or full (ten that day).
       * supabase/logic/service/morning.sql
       */
      add_shift_note: {
        Args: { p_body: string; p_day?: string; p_location: string; p_now?: string }
        Returns: Json
      }
      /**
       * Adds a comment of the caller and returns it; null when there is no such ticket that the caller may see.
       * supabase/logic/tickets/tickets.sql
       */
      add_ticket_comment: { Args: { p_body: string; p_ticket: string }; Returns: Json }
      /**
       * Today's use of the assistant that the caller may see: {calls, tokens}, of all people for callers who see the settings, else the caller's own.
       * supabase/logic/assistant/assistant.sql
       */
      ai_use_today: { Args: { p_now?: string }; Returns: Json }
      /**
       * Raises each limit of approval that has waited 72 hours at p_now, when still no second person may approve it, and tells the administrators. Returns the number of organizations.
       * supabase/logic/campaigns/pending_limits.sql
       */
      apply_due_limits: { Args: { p_now?: string }; Returns: number }
      /**
       * Recomputes at_risk_on and lost_on of the next p_limit guests by newly fitted parameters; true while more guests remain.
       * supabase/logic/loyalty/rhythm.sql
       */
      apply_rhythm_model: { Args: { p_limit?: number; p_organization: string }; Returns: boolean }
      /**
       * Figures of the caller's locations and organization at p_now, in local service days and weeks from Monday. Names and notes only for callers who may read them; VIP is tier rank 3 and above. Null without a profile.
       * supabase/logic/assistant/assistant.sql
       */
      assistant_context: { Args: { p_now?: string }; Returns: Json }
      /**
       * Whether the caller may run the automation, or let its run go on: allowed (and logged, once a minute a person), unknown (also when it reaches a location they do not work in) or forbidden (limit_marketing_to_roles).
       * supabase/logic/automations/pages.sql
       */
      authorize_run: { Args: { p_automation: string; p_run?: string }; Returns: string }
      /**
       * The caller's automations with their runs and messages since p_since; sent includes delivered, and those simulated by the sandbox.
       * supabase/logic/assistant/assistant.sql
       */
      automation_results: {
        Args: { p_since: string }
        Returns: {
          automation_id: string
          channel: string
          delivered: number
          failed: number
          last_run_at: string
          name: string
          runs: number
          sent: number
          simulated: number
          skipped: number
          status: string
          type: string
        }[]
      }
      /**
       * For each automation: its last run, and the results (as in results_of_automation) of its messages created from p_from until p_to, counting reservations of p_locations, or of all. opened: e-mails that a person certainly opened or clicked; maybe_opened: all opened ones but those that only machines opened.
       * supabase/logic/automations/pages.sql
       */
      automations_overview: {
        Args: {
          p_automations: string[]
          p_from: string
          p_locations?: string[]
          p_organization: string
          p_to: string
        }
        Returns: Json
      }
      /**
       * Takes the job's lease and starts a run, whose id it returns; null while another holder has the lease, and for a nightly job (p_hour) that has succeeded since the organization's clock last showed the hour.
       * supabase/logic/jobs/runs.sql
       */
      begin_job: {
        Args: {
          p_holder: string
          p_hour?: number
          p_job: string
          p_now?: string
          p_organization: string
          p_seconds: number
        }
        Returns: string
      }
      /**
       * Takes the key for a request of the caller, for p_seconds at most: first (go on, then call end_keyed_request), in_progress (another holder has it), mismatch (it was sent with another body), replay ({status, answer}), not_kept (answered, but the answer is gone), or forbidden (the caller has lost the rights of then). Keys are forgotten after 24 hours.
       * supabase/logic/jobs/kept_answers.sql
       */
      begin_keyed_request: {
        Args: {
          p_body_hash: string
          p_caller: string
          p_holder: string
          p_key: string
          p_path: string
          p_seconds: number
        }
        Returns: Json
      }
      /**
       * Counts an attempt to sign in before it is made: 0 when it may go on, else the seconds to wait. end_sign_in takes the count back unless the attempt fails.
       * supabase/logic/access/sign_in.sql
       */
      begin_sign_in: { Args: { p_email: string; p_network: string; p_now?: string }; Returns: number }
      /**
       * Marks a waiting party as called and queues the message to it by one of the connected channels (null: staff call by voice): saved (at: since when it may be sent), not_found, conflict (called before, or no longer waiting), or called_just_now or too_many_calls (see private.call_limit).
       * supabase/logic/service/waitlist.sql
       */
      call_waiting: { Args: { p_channels: string[]; p_id: string; p_now?: string }; Returns: Json }
      /**
       * A keyset page of a campaign's messages to guests of p_locations (or all), the newest first, from behind (p_before, p_before_id): those for which p_outcome is true, by the rules of campaign_versions; all of them with all. Each with its guest and, as its own outcome, the furthest it came.
       * supabase/logic/campaigns/results.sql
       */
      campaign_recipients: {
        Args: {
          p_before?: string
          p_before_id?: string
          p_campaign: string
          p_limit?: number
          p_locations?: string[]
          p_organization: string
          p_outcome?: string
        }
        Returns: Json
      }
      /**
       * The test of a campaign: of each version the guests written to, who of them booked within 30 days for a service after it (at p_locations, or all) and who clicked: {decides_at (see test_ends), winner_by, versions: [{variant, guests, booked, clicked}]}. clicked is null without an e-mail.
       * supabase/logic/campaigns/winner.sql
       */
      campaign_score: {
        Args: { p_campaign: string; p_locations?: string[]; p_organization: string }
        Returns: Json
      }
      /**
       * The template of a campaign's message with the look it was launched with, and what an example guest needs: {template, organization_name, group_language, location_name, tier}.
       * supabase/logic/campaigns/results.sql
       */
      campaign_template: { Args: { p_automation: string; p_organization: string }; Returns: Json }
      /**
       * What came of a campaign's messages to guests of p_locations (or all), by version, follow-ups included: {variant, sent, delivered, opened (not by machines alone), clicked, unsubscribed, complained, bounced, failed (bounced ones apart), simulated, links: [{url, clicks, guests}], the 50 most clicked}.
       * supabase/logic/campaigns/results.sql
       */
      campaign_versions: {
        Args: { p_campaign: string; p_locations?: string[]; p_organization: string }
        Returns: Json
      }
      /**
       * Ends runs that waited for approval too long, and cancels up to p_limit queued messages of runs that are over; those being sent are not touched. Returns how many it cancelled.
       * supabase/logic/campaigns/approval.sql
       */
      cancel_held: { Args: { p_limit?: number; p_now?: string; p_organization: string }; Returns: number }
      /**
       * Cancels a running import of the caller's organization: cancelled, over or unknown. Saved rows stay.
       * supabase/logic/imports/runs.sql
       */
      cancel_import: { Args: { p_import: string }; Returns: string }
      /**
       * Changes the thresholds {likely, certain} of the caller's group, who are then compared again: saved, forbidden or order (likely must be below certain).
       * supabase/logic/identity/settings.sql
       */
      change_identity: { Args: { p_changes: Json }; Returns: string }
      /**
       * Changes role, full_name or location_ids ([]: all) of a person: saved, forbidden, not_found, own, unknown_location or needs_location (of floor staff).
       * supabase/logic/access/team.sql
       */
      change_member: { Args: { p_changes: Json; p_member: string }; Returns: string }
      /**
       * Changes the given settings of the caller's organization: saved, pending (limits of approval that it would raise wait for another person, the rest is saved), forbidden, no_second_factor or unknown_timezone.
       * supabase/logic/organization/settings.sql
       */
      change_organization: { Args: { p_changes: Json }; Returns: string }
      /**
       * Changes a shift note of the caller's, without a text removes it: saved (with the note that stays), not_found or not_author.
       * supabase/logic/service/morning.sql
       */
      change_shift_note: { Args: { p_body?: string; p_id: string; p_now?: string }; Returns: Json }
      /**
       * Unsubscribes the addresses of a link, or undoes that; p_message, which the link names, is credited with it when it went to one of them.
       * supabase/logic/messages/departures.sql
       */
      change_subscription: {
        Args: {
          p_addresses: string[]
          p_channel: string
          p_message?: string
          p_organization: string
          p_undo?: boolean
        }
        Returns: undefined
      }
      /**
       * Compares the kept counts of an organization's customers with a recount and mends them: [{kind, value, customers}], by how many each was wrong.
       * supabase/logic/statistics/figure_upkeep.sql
       */
      check_customer_counts: { Args: { p_organization: string }; Returns: Json }
      /**
       * Compares the next days of a location, about p_rows reservations, with a recount and mends their figures: {more, location_id, mended: [day]}. Not more when each location of the organization was checked within 12 hours.
       * supabase/logic/statistics/figure_upkeep.sql
       */
      check_daily_figures: {
        Args: { p_now?: string; p_organization: string; p_rows?: number }
        Returns: Json
      }
      /**
       * Ends the test of a campaign that is sending, without a winner only where all guests are in it; false when it has ended already, or cannot.
       * supabase/logic/campaigns/winner.sql
       */
      choose_winner: {
        Args: {
          p_campaign: string
          p_now?: string
          p_organization: string
          p_reason?: string
          p_winner?: string
        }
        Returns: boolean
      }
      /**
       * Marks a code of the authenticator app as used, before Auth checks it; false when it was used within five minutes.
       * supabase/logic/access/second_factor.sql
       */
      claim_code: { Args: { p_hash: string; p_now?: string; p_user: string }; Returns: boolean }
      /**
       * Leases the next due messages of a channel (of one run; of one automation; only notices), once consent, cap, quiet hours and pace (messages a second) allow: {examined, templates, messages, wait_until, ended}. examined 0: nothing is due, or it has to wait until wait_until. p_closed: see ways_to; a channel without a provider: see hold_channel. p_integrations: channels that have a provider only while their integration is enabled. moved: some now wait to go by another channel. ended: ids of those that will not be sent. more: hold_channel has more to move. last: the place in the queue where it ended. p_after: looks only behind that place.
       * supabase/logic/messages/claim.sql
       */
      claim_messages: {
        Args: {
          p_after?: Json
          p_automation?: string
          p_channel: string
          p_closed?: Json
          p_integrations?: string[]
          p_lease_seconds?: number
          p_limit?: number
          p_notices?: boolean
          p_now?: string
          p_organization: string
          p_pace?: number
          p_run?: string
        }
        Returns: Json
      }
      /**
       * Leases the notices that are due (or one of them) for a minute, with the device of each. Expired notices, and notices without a recipient, are done.
       * supabase/logic/notices/push.sql
       */
      claim_push_notices: { Args: { p_limit?: number; p_now?: string; p_only?: string }; Returns: Json }
      /**
       * Uses up a recovery code; false for one that is wrong or used.
       * supabase/logic/access/second_factor.sql
       */
      claim_recovery_code: { Args: { p_hash: string; p_now?: string; p_user: string }; Returns: boolean }
      /**
       * Closes the services that ended by p_now, at most p_limit reservations: decides who came and recomputes the affected customers. True when there may be more.
       * supabase/logic/reservations/visits.sql
       */
      close_services: { Args: { p_limit?: number; p_now?: string; p_organization: string }; Returns: boolean }
      /**
       * A conversation with a keyset page of its texts, the latest first, what became of ours, and the obstacle to a reply (private.conversation_obstacle); null: none of the caller's. With its owner's rights, because who may answer need not be able to read all messages.
       * supabase/logic/conversations/replies.sql
       */
      conversation: {
        Args: {
          p_before?: string
          p_before_id?: string
          p_channels: string[]
          p_id: string
          p_limit?: number
          p_now?: string
        }
        Returns: Json
      }
      /**
       * How many customers of the caller match the filters; it stops counting at one more than p_most.
       * supabase/logic/customers/search.sql
       */
      count_customers: { Args: { p_filters?: Json; p_most?: number; p_now?: string }; Returns: number }
      /**
       * How many likely pairs of the caller's group have at least the probability, {pairs, more}: ten thousand at most.
       * supabase/logic/identity/duplicate_merges.sql
       */
      count_duplicates: { Args: { p_above: number; p_certain: boolean; p_most?: number }; Returns: Json }
      /**
       * How much refers to each of the customers in the caller's locations; empty for someone without customer access.
       * supabase/logic/customers/search.sql
       */
      customer_belongings: {
        Args: { p_ids: string[] }
        Returns: {
          calendar_events: number
          customer_id: string
          messages: number
          reservations: number
          tickets: number
        }[]
      }
      /**
       * The cities of the caller's customers that begin so, in alphabetical order; accents, and capitals or not, make no difference, and each has one of its spellings.
       * supabase/logic/customers/search.sql
       */
      customer_cities: {
        Args: { p_begins?: string; p_limit?: number }
        Returns: {
          city: string
        }[]
      }
      /**
       * Groups of customers who are likely one person, {groups, next: [probability, first_id, second_id]}, the most certain first. After 400 pairs it stops, however few groups it found.
       * supabase/logic/identity/duplicates.sql
       */
      customer_duplicates: {
        Args: {
          p_above?: number
          p_after_first?: string
          p_after_probability?: number
          p_after_second?: string
          p_certain?: boolean
          p_limit?: number
        }
        Returns: Json
      }
      /**
       * A customer in the caller's locations: the next booking; where and on which weekday (1 is Monday) they came at least twice, and their usual table (private.usual_tables); the service day of the first booking; no-shows and visits of past services, and the no-shows among them. And their rhythm, over all locations.
       * supabase/logic/statistics/statistics.sql
       */
      customer_habits: {
        Args: { p_customer: string; p_now?: string }
        Returns: {
          first_date: string
          next_date: string
          next_location: string
          next_location_id: string
          next_party_size: number
          next_reservation: string
          next_service_date: string
          next_time: string
          no_shows: number
          past: number
          return_probability: number
          rhythm: string
          usual_days: number
          usual_location: string
          usual_table: string
          usual_table_location: string
          usual_weekday: number
        }[]
      }
      /**
       * The three of the caller's guests who are most likely the person that is being typed in, with masked contact data, the most likely first. p_id: the customer that is edited, who is no match for themselves.
       * supabase/logic/identity/matches.sql
       */
      customer_matches: { Args: { p_id?: string; p_person: Json }; Returns: Json }
      /**
       * The tags of the caller's customers, the most used first, and how many have each.
       * supabase/logic/customers/search.sql
       */
      customer_tags: {
        Args: { p_limit?: number }
        Returns: {
          customers: number
          tag: string
        }[]
      }
      /**
       * A keyset page of a customer's timeline, the latest first: the kinds reservation, message, ticket, feedback, change and, when asked for, conversation that the caller may read.
       * supabase/logic/customers/search.sql
       */
      customer_timeline: {
        Args: {
          p_before?: string
          p_before_id?: string
          p_customer: string
          p_kinds?: string[]
          p_limit?: number
        }
        Returns: {
          at: string
          details: Json
          id: string
          kind: string
        }[]
      }
      /**
       * Of the current service's guests those that staff should know, in the caller's locations; see private.guests_to_know.
       * supabase/logic/statistics/statistics.sql
       */
      customers_to_know: {
        Args: { p_limit?: number; p_location?: string; p_now?: string }
        Returns: {
          allergy: boolean
          away: boolean
          birthday_in: number
          customer_id: string
          customer_name: string
          facts: Json
          first_visit: boolean
          found: number
          last_visit_at: string
          location_id: string
          location_name: string
          no_shows: number
          notes: string
          party_size: number
          reservation_id: string
          reservation_time: string
          status: string
          tier: string
          vip: boolean
        }[]
      }
      /**
       * Reservations and covers of those who come, no-shows and cancellations, by location and service day (62 at most); p_search as in service_summary.
       * supabase/logic/statistics/statistics.sql
       */
      daily_summary: {
        Args: { p_from: string; p_location?: string; p_search?: string[]; p_source?: string; p_to: string }
        Returns: {
          cancelled: number
          covers: number
          location_id: string
          no_shows: number
          reservations: number
          service_date: string
        }[]
      }
      /**
       * Raises a limit of approval as another administrator asked, or drops what was asked (also one's own): approved, withdrawn, own (not a second person), changed (p_since: since when it waits, as the caller saw it), not_found or forbidden.
       * supabase/logic/campaigns/pending_limits.sql
       */
      decide_limit: { Args: { p_approve: boolean; p_name: string; p_since?: string }; Returns: string }
      /**
       * Approves or refuses a waiting run: approved, refused, own (neither the person who started it, in person or by a token, nor a program, nor whom they invited or gave a role within 30 days or the other way round, can approve it), changed (the approval is for p_guests, as the caller saw them), not_waiting or not_found.
       * supabase/logic/campaigns/approval.sql
       */
      decide_run: { Args: { p_approve: boolean; p_guests?: number; p_run: string }; Returns: string }
      /**
       * Deletes a brand without locations: deleted, not_found or in_use.
       * supabase/logic/organization/settings.sql
       */
      delete_brand: { Args: { p_brand: string }; Returns: string }
      /**
       * Deletes an event and, by p_scope, those of its series: one, following or all. False when there is none that the caller may see.
       * supabase/logic/calendar/events.sql
       */
      delete_calendar_event: { Args: { p_id: string; p_scope?: string }; Returns: boolean }
      /**
       * Deletes a draft: deleted, not_draft or not_found.
       * supabase/logic/campaigns/drafts.sql
       */
      delete_campaign: { Args: { p_campaign: string; p_organization: string }; Returns: string }
      /**
       * Forgets an image that no design, template or look shows, nor the look that a campaign was launched with or a run's approval was asked for: deleted, not_found or in_use. The file is the caller's to remove.
       * supabase/logic/messages/email_designs.sql
       */
      delete_email_image: { Args: { p_id: string; p_organization: string }; Returns: string }
      /**
       * Deletes a location without reservations and people: deleted, not_found or in_use.
       * supabase/logic/organization/settings.sql
       */
      delete_location: { Args: { p_location: string }; Returns: string }
      /**
       * Deletes a segment: deleted, not_found, forbidden, or in_use ({in_use}: what uses it, as segment_uses has it).
       * supabase/logic/segments/saving.sql
       */
      delete_segment: { Args: { p_id: string }; Returns: Json }
      /**
       * Only settings people; false when there is none that the caller may delete.
       * supabase/logic/tickets/tickets.sql
       */
      delete_ticket: { Args: { p_id: string }; Returns: boolean }
      /**
       * Removes a token whose account could not be made.
       * supabase/logic/access/api_tokens.sql
       */
      discard_api_token: { Args: { p_id: string }; Returns: undefined }
      /**
       * The campaigns to plan at p_now, by launch. Those that waited for approval too long are drafts again.
       * supabase/logic/campaigns/planning.sql
       */
      due_campaigns: { Args: { p_now?: string; p_organization: string }; Returns: Json }
      /**
       * Logs, once, that the caller's download has ended, and how many rows were sent. False for a download that is not theirs or has ended.
       * supabase/logic/audit/log.sql
       */
      end_export: { Args: { p_export: string; p_rows: number }; Returns: boolean }
      /**
       * Records how a run ended, and gives its lease back.
       * supabase/logic/jobs/runs.sql
       */
      end_job: {
        Args: { p_holder: string; p_result: Json; p_run: string; p_status: string }
        Returns: undefined
      }
      /**
       * Keeps the answer to the holder's request; without a status it failed, and its key is free again.
       * supabase/logic/jobs/kept_answers.sql
       */
      end_keyed_request: {
        Args: {
          p_answer: string
          p_caller: string
          p_holder: string
          p_key: string
          p_path: string
          p_status: number
        }
        Returns: undefined
      }
      /**
       * Signs a person of the team, or oneself, out everywhere: ended, forbidden or not_found.
       * supabase/logic/access/team.sql
       */
      end_member_sessions: { Args: { p_member: string }; Returns: string }
      /**
       * Ends one session of the caller; false when there is none of that id.
       * supabase/logic/access/account.sql
       */
      end_my_session: { Args: { p_session: string }; Returns: boolean }
      /**
       * Ends sessions of the caller: this one, the others, or everywhere; false for any other word, and without a live session.
       * supabase/logic/access/account.sql
       */
      end_my_sessions: { Args: { p_which: string }; Returns: boolean }
      /**
       * Ends every session of an account: after a new password by a mailed link.
       * supabase/logic/access/account.sql
       */
      end_sessions_of: { Args: { p_user: string }; Returns: undefined }
      /**
       * Records the outcome of an attempt: succeeded, failed, or anything else when Auth did not answer. Failures lead to locks; a success marks the network as one the account uses.
       * supabase/logic/access/sign_in.sql
       */
      end_sign_in: {
        Args: { p_email: string; p_network: string; p_now?: string; p_outcome: string }
        Returns: undefined
      }
      /**
       * A waiting party is seated (and becomes a walk-in at p_table) or left; null brings back one that left: saved, not_found, conflict, or what the tap asks (private.refused_tap) and p_confirm does not answer.
       * supabase/logic/service/waitlist.sql
       */
      end_waiting: {
        Args: { p_confirm?: Json; p_id: string; p_now?: string; p_outcome: string; p_table?: string }
        Returns: Json
      }
      /**
       * Starts a run (manual, by p_person, or schedule), or goes on with p_run from its checkpoint: writes the run and its messages. p_closed: see plan_query. outcome is enqueued (run_id; more when p_limit ended it), inactive, stopped (all sending is) or unknown.
       * supabase/logic/automations/enqueue.sql
       */
      enqueue_run: {
        Args: {
          p_automation: string
          p_closed?: Json
          p_limit?: number
          p_now?: string
          p_organization: string
          p_person?: string
          p_run?: string
          p_triggered_by: string
        }
        Returns: Json
      }
      /**
       * Erases a person (GDPR art. 17): the customer goes, reservations and messages stay without personal data. erased, not_found, or foreign_location: the caller is bound to locations and the person has records outside them. What holds an address by its name or definition stays, and the audit line names it.
       * supabase/logic/erasure/erasure.sql
       */
      erase_customer: { Args: { p_id: string }; Returns: string }
      /**
       * Everything held about a person (GDPR art. 15 and 20) in the caller's locations, or null when the caller may not see them.
       * supabase/logic/erasure/export.sql
       */
      export_customer: { Args: { p_id: string }; Returns: Json }
      /**
       * A keyset page of the caller's customers for the file of a download that log_customers_export started with the same filters: {columns, rows, next: {key, id} or null}. columns names the values of each row: those of private.customer_fields, tier, visits, spend, spend_is_estimate, points, last_visit, source, created, consent_email, consent_sms, consent_whatsapp (a basis or opted_out), emails, phones. Sort and filters as list_customers.
       * supabase/logic/customers/export.sql
       */
      export_customers: {
        Args: {
          p_after_id?: string
          p_after_key?: string
          p_export: string
          p_filters?: Json
          p_limit?: number
          p_now?: string
          p_sort?: string
        }
        Returns: Json
      }
      /**
       * The facts of a test message as a given guest would get it, about their next reservation, else their last one. Null when there is no such guest.
       * supabase/logic/automations/previews.sql
       */
      facts_of_guest: { Args: { p_customer: string; p_now?: string; p_organization: string }; Returns: Json }
      /**
       * How many answers of a period (p_to excluded) have each score, by the caller's locations.
       * supabase/logic/feedback/feedback.sql
       */
      feedback_scores: {
        Args: { p_from: string; p_location?: string; p_to: string }
        Returns: {
          answers: number
          location: string
          location_id: string
          score: number
          with_words: number
        }[]
      }
      /**
       * What the survey of a message shows, {first_name, location_name, score, state: see private.survey_state, review_urls: after five stars, language: the guest's own or null, group_language}; null: the link leads nowhere.
       * supabase/logic/feedback/feedback.sql
       */
      feedback_survey: { Args: { p_message: string; p_now?: string }; Returns: Json }
      /**
       * Answers and their average for each of the caller's locations and each of the last 12 weeks (from Monday, local), the earliest first; average is null without answers.
       * supabase/logic/feedback/feedback.sql
       */
      feedback_trend: {
        Args: { p_location?: string; p_now?: string }
        Returns: {
          answers: number
          average: number
          location: string
          location_id: string
          week: string
        }[]
      }
      /**
       * The caller's reservations that a search finds (private.reservations_found), at most 50: today's service by time, the days after it, then the past, the latest first. Without contacts.
       * supabase/logic/reservations/find.sql
       */
      find_reservations: {
        Args: { p_limit?: number; p_location?: string; p_now?: string; p_search: Json }
        Returns: Json
      }
      /**
       * Records what became of claimed messages: {id, lease_token, outcome sent|failed|skipped|unknown|retry, reason, provider, provider_id, retry_seconds}. Returns how many; a lost lease does not count.
       * supabase/logic/messages/outcomes.sql
       */
      finish_messages: { Args: { p_now?: string; p_results: Json }; Returns: number }
      /**
       * Records the outcomes of leased notices, [{id, outcome, seconds}]: sent, refused, gone (the device goes too) or retry (again after so many seconds at least, longer each time, until it expires).
       * supabase/logic/notices/push.sql
       */
      finish_push_notices: { Args: { p_now?: string; p_results: Json }; Returns: undefined }
      /**
       * The jobs that have succeeded in each organization since its clock last showed the hour.
       * supabase/logic/jobs/runs.sql
       */
      finished_nightly: {
        Args: { p_hour: number; p_now: string }
        Returns: {
          job: string
          organization_id: string
        }[]
      }
      /**
       * Adds up the changes of the kept figures and counts, so that reads have one row a day or value: at least p_limit of each. True when there may be more.
       * supabase/logic/statistics/figure_upkeep.sql
       */
      fold_figures: { Args: { p_limit?: number }; Returns: boolean }
      /**
       * After Auth has removed the factor: deletes its codes, ends the person's other sessions and queues a mail about it.
       * supabase/logic/access/second_factor.sql
       */
      forget_second_factor: {
        Args: { p_now?: string; p_session: string; p_user: string }
        Returns: undefined
      }
      /**
       * Stores what is about to be sent ({id, lease_token, content, idempotency_key}). Only the ids it returns may go to the provider: the others' lease is lost.
       * supabase/logic/messages/outcomes.sql
       */
      freeze_messages: { Args: { p_contents: Json; p_now?: string }; Returns: Json }
      /**
       * The recorded allergies of the guests, at most 500, whom the caller may read or who have a booking that the caller may see: {customer_id, code, note}.
       * supabase/logic/customers/facts.sql
       */
      guest_allergies: {
        Args: { p_customers: string[] }
        Returns: {
          code: string
          customer_id: string
          note: string
        }[]
      }
      /**
       * The guest's card for floor staff, without addresses and spend, with the notes of the latest 20 reservations that the caller may read; null without the right.
       * supabase/logic/customers/facts.sql
       */
      guest_card: { Args: { p_customer: string }; Returns: Json }
      /**
       * What a guest's page wears, {name, logo, color, button_color}: the look of the message's automation, or of the brand of the visit that it is about (p_visit); else the group's. Without an organization that of the message, else of an installation that has one only; null: none.
       * supabase/logic/messages/preferences.sql
       */
      guest_look: { Args: { p_message?: string; p_organization?: string; p_visit?: boolean }; Returns: Json }
      /**
       * What the page of an unsubscribe link offers: {known: some customer has its address, channels: [{channel, state: see channels_of_link}], frequency: all or monthly, brands: [{id, name, wanted}], language: theirs, null when several differ}. Of several customers the strictest wish. Null when there is no such organization.
       * supabase/logic/messages/preferences.sql
       */
      guest_preferences: {
        Args: { p_addresses: string[]; p_channel: string; p_organization: string }
        Returns: Json
      }
      /**
       * Whether the caller may make a link to a new password for a person of the team: allowed, forbidden (also for a person with rights that the caller lacks), not_found or own. With p_made: it was made, which is logged, mailed to the person, and keeps the two from approving each other's sends for 30 days (made).
       * supabase/logic/access/team.sql
       */
      hand_over_link: { Args: { p_made?: boolean; p_member: string }; Returns: string }
      /**
       * Saves a chunk of a running import's rows, all or none, and counts them in the run. When the import is over or cancelled it saves nothing and returns {running: false}.
       * supabase/logic/imports/rows.sql
       */
      import_customers: { Args: { p_import: string; p_rows: Json }; Returns: Json }
      /**
       * Groups of a file's e-mails and phones that belong to one known customer, former ones included: [[address, …], …]. Rows of a group must be in one chunk.
       * supabase/logic/imports/runs.sql
       */
      import_links: {
        Args: { p_emails: string[]; p_organization: string; p_phones: string[] }
        Returns: Json
      }
      /**
       * The version of the schema (the number of its last migration, lib/health/schema-version.ts) and the time of this database. Each later migration replaces it with its own number (tests/unit/schema-version.test.ts).
       * supabase/logic/jobs/installation.sql
       */
      installation_state: { Args: Record<PropertyKey, never>; Returns: Json }
      /**
       * Invites an e-mail (lower case): saved with the id, forbidden, unknown_location, needs_location (of floor staff), member or invited (already).
       * supabase/logic/access/invitations.sql
       */
      invite_member: {
        Args: {
          p_email: string
          p_full_name: string
          p_locations: string[]
          p_role: string
          p_token_hash: string
        }
        Returns: Json
      }
      /**
       * The results of the runs, for callers who see the settings; callers bound to locations get the results of these, and the error.
       * supabase/logic/jobs/runs.sql
       */
      job_results: {
        Args: { p_runs: string[] }
        Returns: {
          id: string
          result: Json
        }[]
      }
      /**
       * Adds a party {name, phone, party_size, quoted_minutes, notes, key, at} to a location's waitlist, once for each key, and returns its id, which is the key if there is one; null without the right, and when 200 already wait.
       * supabase/logic/service/waitlist.sql
       */
      join_waitlist: { Args: { p_entry: Json; p_location: string; p_now?: string }; Returns: string }
      /**
       * Marks a customer as a different person from each of the others, or removes the mark: saved or not_found (one does not exist).
       * supabase/logic/identity/duplicates.sql
       */
      judge_duplicates: { Args: { p_different: boolean; p_id: string; p_others: string[] }; Returns: string }
      /**
       * Counts the rates of one location that are not of its service day, or that had few bookings ten minutes ago (as before its first sync). Whether it found one: call it until it has not.
       * supabase/logic/reservations/no_show.sql
       */
      keep_no_show_rates: { Args: { p_now?: string }; Returns: boolean }
      /**
       * Replaces a person's recovery codes.
       * supabase/logic/access/second_factor.sql
       */
      keep_recovery_codes: { Args: { p_hashes: string[]; p_user: string }; Returns: undefined }
      /**
       * The latest instant, not after p_now, at which the organization's clock showed the hour.
       * supabase/logic/jobs/runs.sql
       */
      last_local_hour: { Args: { p_hour: number; p_now?: string; p_organization: string }; Returns: string }
      /**
       * The latest sync of the caller's organization, limited to the caller's locations; null when there has been none.
       * supabase/logic/jobs/runs.sql
       */
      last_sync: { Args: Record<PropertyKey, never>; Returns: Json }
      /**
       * Launches a draft for p_person, who saw p_guests and p_version: launched (it waits for approval, or is scheduled), changed (of another version, or it would write to over a tenth more), past (its time is), not_draft or not_found. p_locations: those that the person is bound to.
       * supabase/logic/campaigns/launch.sql
       */
      launch_campaign: {
        Args: {
          p_campaign: string
          p_closed?: Json
          p_guests: number
          p_locations?: string[]
          p_now?: string
          p_organization: string
          p_person: string
          p_version: number
        }
        Returns: string
      }
      /**
       * For the nightly job: private.learn_weights, if the group has changed much since it last learned.
       * supabase/logic/identity/learning.sql
       */
      learn_identity_weights: { Args: { p_organization: string; p_step?: number }; Returns: Json }
      /**
       * After a password reset: ends the locks of the account, and marks the network as one it uses.
       * supabase/logic/access/sign_in.sql
       */
      lift_sign_in_lock: { Args: { p_email: string; p_network: string; p_now?: string }; Returns: undefined }
      /**
       * What the guests of automations (at most 200) did in the days after they began (days: how many): of each automation {automation_id, days, control_share, waiting: guests whose days are not over, arms}. An arm is of one share and group (held: the control group), with the sums over guests of visits (booked and made in these days, in p_locations or all) and EUR, and their sums of squares.
       * supabase/logic/automations/lift.sql
       */
      lifts_of_automations: {
        Args: { p_automations: string[]; p_locations?: string[]; p_now: string; p_organization: string }
        Returns: Json
      }
      /**
       * Links a number with the id that came with it: customers of the number get the id, and a STOP from one applies to the other.
       * supabase/logic/messages/delivery.sql
       */
      link_whatsapp: {
        Args: { p_organization: string; p_phone: string; p_whatsapp_id: string }
        Returns: undefined
      }
      /**
       * The tokens, the latest first, for managers of the team; managers bound to locations see tokens bound to these.
       * supabase/logic/access/api_tokens.sql
       */
      list_api_tokens: {
        Args: { p_after_at?: string; p_after_id?: string; p_id?: string; p_limit?: number }
        Returns: {
          created_at: string
          created_by: string
          expires_at: string
          id: string
          last_used_at: string
          location_ids: string[]
          name: string
          permissions: string[]
          revoked_at: string
        }[]
      }
      /**
       * A keyset page of the audit log that the caller may read, the latest first; filters as auditFilters in lib/audit/filters.ts has them: period, part of the actor's name, kind of subject, and part of the subject's name or its id.
       * supabase/logic/audit/log.sql
       */
      list_audit_log: {
        Args: { p_before?: string; p_before_id?: string; p_filters?: Json; p_limit?: number }
        Returns: {
          action: string
          actor: string
          after: Json
          at: string
          before: Json
          id: string
          subject: string
          subject_id: string
          subject_type: string
        }[]
      }
      /**
       * A keyset page of the events the caller may see, from `from` (inclusive; with `under_way` also those that end later) to
       *    `to` (exclusive), or the one with p_id; filters as eventsQuery in lib/calendar/filters.ts has them.
       * supabase/logic/calendar/events.sql
       */
      list_calendar_events: {
        Args: { p_after_id?: string; p_after_key?: string; p_filters?: Json; p_id?: string; p_limit?: number }
        Returns: {
          assignee_id: string
          assignee_name: string
          created_at: string
          created_by: string
          customer_id: string
          description: string
          ends_at: string
          ends_on: string
          event_datetime: string
          id: string
          location_id: string
          notification_sent: boolean
          reminder_minutes: number
          reminder_sent: boolean
          repeat: Json
          series_id: string
          starts_on: string
          title: string
        }[]
      }
      /**
       * The campaigns the caller may read, the newest first, from behind (p_before, p_before_id); with p_id that one with its messages.
       * supabase/logic/campaigns/list.sql
       */
      list_campaigns: {
        Args: { p_before?: string; p_before_id?: string; p_id?: string; p_limit?: number; p_status?: string }
        Returns: Json
      }
      /**
       * The closings of a location by day [{id, day, shift, zone, reason}]. Null for who does not work there.
       * supabase/logic/service/closings.sql
       */
      list_closings: { Args: { p_location: string }; Returns: Json }
      /**
       * The people of the caller's organization, by name, as possible assignees. With its owner's rights, as profiles are for team managers.
       * supabase/logic/access/team.sql
       */
      list_colleagues: {
        Args: Record<PropertyKey, never>
        Returns: {
          id: string
          name: string
        }[]
      }
      /**
       * A keyset page of the caller's conversations, the latest first, with the last text of each.
       * supabase/logic/conversations/replies.sql
       */
      list_conversations: {
        Args: {
          p_before?: string
          p_before_id?: string
          p_customer?: string
          p_limit?: number
          p_unread?: boolean
        }
        Returns: {
          address: string
          channel: string
          customer_id: string
          first_name: string
          id: string
          last_at: string
          last_direction: string
          last_inbound_at: string
          last_media: string
          last_name: string
          last_text: string
          sender_name: string
          unread: number
        }[]
      }
      /**
       * A keyset page of the caller's customers as the API gives them, each with its key in the order: sort recent, name, spend or visits; filters as private.customers_where has them.
       * supabase/logic/customers/search.sql
       */
      list_customers: {
        Args: {
          p_after_id?: string
          p_after_key?: string
          p_filters?: Json
          p_limit?: number
          p_now?: string
          p_sort?: string
        }
        Returns: {
          customer: Json
          key: string
        }[]
      }
      /**
       * The merges of the last 30 days into a customer, the latest 100 first, [{id, merged_at, author_name, undone_at, undone_by, obstacle, later_id, customer, moved}].
       * supabase/logic/customers/merge_undo.sql
       */
      list_merges: { Args: { p_customer: string }; Returns: Json }
      /**
       * A keyset page of the pairs of customers who are different people, the latest verdict first.
       * supabase/logic/identity/duplicates.sql
       */
      list_pairs: {
        Args: { p_before?: string; p_before_id?: string; p_limit?: number }
        Returns: {
          author_name: string
          customers: Json
          decided_at: string
          id: string
        }[]
      }
      /**
       * The segments the caller may read (or the one), by name, with who made each and what uses it.
       * supabase/logic/segments/saving.sql
       */
      list_segments: { Args: { p_id?: string }; Returns: Json }
      /**
       * The shift notes of a location's service day, by default the current one, in order of writing; null without the right.
       * supabase/logic/service/morning.sql
       */
      list_shift_notes: { Args: { p_day?: string; p_location: string; p_now?: string }; Returns: Json }
      /**
       * The team by entry, for its managers; of a person's locations those the caller works in. role is null when it is none of a person's.
       * supabase/logic/access/team.sql
       */
      list_team: {
        Args: { p_after_at?: string; p_after_id?: string; p_limit?: number; p_member?: string }
        Returns: {
          all_locations: boolean
          created_at: string
          email: string
          full_name: string
          id: string
          location_ids: string[]
          role: string
        }[]
      }
      /**
       * A keyset page of the tickets the caller may see, the newest first, or the one with p_id; filters as ticketsQuery in lib/tickets/filters.ts has them.
       * supabase/logic/tickets/tickets.sql
       */
      list_tickets: {
        Args: { p_before?: number; p_filters?: Json; p_id?: string; p_limit?: number }
        Returns: {
          assignee_id: string
          assignee_name: string
          created_at: string
          customer_id: string
          description: string
          id: string
          location_id: string
          notified_at: string
          number: number
          priority: string
          requester_id: string
          requester_name: string
          resolved_at: string
          sla_due_at: string
          sla_reminded_at: string
          status: string
          subject: string
          updated_at: string
        }[]
      }
      /**
       * The waiting parties of a location in order of arrival, each with the message that called them; null without the right.
       * supabase/logic/service/waitlist.sql
       */
      list_waiting: { Args: { p_location: string }; Returns: Json }
      /**
       * Logs actions of the caller that change no row: job.sync_started, loyalty.recalculated, audit_log.exported, each once a minute a person. False when their role may not do it, or for another word.
       * supabase/logic/audit/log.sql
       */
      log_action: { Args: { p_action: string }; Returns: boolean }
      /**
       * Counts and logs that the caller starts to download the customers that match the filters; returns the id by which export_customers gives them and end_export ends it. Null when they may not.
       * supabase/logic/customers/search.sql
       */
      log_customers_export: { Args: { p_filters: Json }; Returns: string }
      /**
       * Counts and logs that the caller starts to download the recipients of a campaign that match the filters; returns the id by which end_export ends it. Null when they may not: it takes access to customers, too.
       * supabase/logic/campaigns/results.sql
       */
      log_recipients_export: { Args: { p_campaign: string; p_filters: Json }; Returns: string }
      /**
       * Counts and logs that the caller starts to download the reservations that match the filters; returns the id by which end_export ends it. Null when they may not.
       * supabase/logic/reservations/changes.sql
       */
      log_reservations_export: { Args: { p_filters: Json }; Returns: string }
      /**
       * How many customers of each of the caller's locations hold which tier (null: none).
       * supabase/logic/loyalty/standing.sql
       */
      loyalty_distribution: {
        Args: Record<PropertyKey, never>
        Returns: {
          customers: number
          location_id: string
          tier_id: string
        }[]
      }
      /**
       * Marks the texts of a conversation as read, for everybody; whether there is one of the caller's.
       * supabase/logic/conversations/replies.sql
       */
      mark_conversation_read: { Args: { p_id: string }; Returns: boolean }
      /**
       * Makes one customer of two: outcome merged (with customer, and the merge_id by which it can be undone for 30 days), same or not_found. p_fields are taken from the duplicate.
       * supabase/logic/customers/merges.sql
       */
      merge_customers: { Args: { p_duplicate_id: string; p_fields?: string[]; p_id: string }; Returns: Json }
      /**
       * Merges the next groups of the caller's duplicates that are linked by pairs of at least the probability, each into its oldest customer: {merged, next: [probability, first_id, second_id]}; next is null at the end.
       * supabase/logic/identity/duplicate_merges.sql
       */
      merge_duplicates: {
        Args: {
          p_above: number
          p_after_first?: string
          p_after_probability?: number
          p_after_second?: string
          p_certain: boolean
          p_limit?: number
        }
        Returns: Json
      }
      /**
       * What left the PMS within the last 24 hours in the caller's locations: [{location_id, location, cancelled, not_applied, bookings: [{id, customer_name, service_date, reservation_date, reservation_time}]}], of each the first 20.
       * supabase/logic/reservations/missing.sql
       */
      missing_bookings: { Args: { p_now?: string }; Returns: Json }
      /**
       * private.morning_of for the caller: in one location they work in (null for another), or in all that are active; by default of the current service day.
       * supabase/logic/service/morning.sql
       */
      morning: {
        Args: { p_date?: string; p_location?: string; p_now?: string; p_people?: number }
        Returns: Json
      }
      /**
       * How many people have to get the morning report now.
       * supabase/logic/service/morning_mail.sql
       */
      morning_mails_due: { Args: { p_now: string; p_organization: string }; Returns: number }
      /**
       * What a person does with a launched campaign: approve (p_version, for p_guests), refuse, unschedule, pause, resume, stop. done, not_found, not_waiting, own (another person has to approve it), changed, not_scheduled, not_running or not_paused.
       * supabase/logic/campaigns/moves.sql
       */
      move_campaign: {
        Args: {
          p_action: string
          p_campaign: string
          p_closed?: Json
          p_guests?: number
          p_now?: string
          p_organization: string
          p_person: string
          p_version?: number
        }
        Returns: string
      }
      /**
       * The hour (null: never) and time zone of the caller's morning report by e-mail; null without the right to read it.
       * supabase/logic/service/morning_mail.sql
       */
      my_morning_mail: { Args: Record<PropertyKey, never>; Returns: Json }
      /**
       * What needs the caller's attention: {sync: {status, started_at} when the last one had problems, paused_runs, waiting_runs and waiting_campaigns that the caller may decide on, tickets: {near, late} that are the caller's, unknown_messages of the last week, left_pms: {count, not_applied, locations} as missing_bookings, the first three of each}; counts stop at 100.
       * supabase/logic/notices/notices.sql
       */
      my_notices: { Args: { p_now?: string }; Returns: Json }
      /**
       * The caller's devices that get push notices, the one of this session first.
       * supabase/logic/notices/push.sql
       */
      my_push_devices: { Args: Record<PropertyKey, never>; Returns: Json }
      /**
       * The caller's profile, session and organization, and of an API token its permissions; settled: a read replica knows the session and its rights. Null when the user has no profile. Before the code of a second factor, only the data for that step. It marks the session as used.
       * supabase/logic/access/permissions.sql
       */
      my_session: { Args: Record<PropertyKey, never>; Returns: Json }
      /**
       * The caller's live sessions: this one, then the last used; at most 100.
       * supabase/logic/access/account.sql
       */
      my_sessions: {
        Args: Record<PropertyKey, never>
        Returns: {
          browser: string
          created_at: string
          current: boolean
          ends_at: string
          id: string
          last_seen_at: string
          network: string
          place: string
          system: string
        }[]
      }
      /**
       * The next expected parties of the current service in the caller's locations.
       * supabase/logic/statistics/statistics.sql
       */
      next_arrivals: {
        Args: { p_limit?: number; p_location?: string; p_now?: string }
        Returns: {
          arrived_at: string | null
          counts_unmarked: boolean
          created_at: string
          customer_email: string | null
          customer_id: string | null
          customer_name: string | null
          customer_phone: string | null
          email_unread: boolean
          erased_at: string | null
          external_id: string | null
          finished_at: string | null
          guest_answer: string | null
          guest_answered_at: string | null
          id: string
          joined_to: string | null
          late_minutes: number | null
          location_id: string
          notes: string | null
          organization_id: string
          party_size: number
          pms_status: string | null
          reservation_date: string
          reservation_time: string
          search_name: string
          seated_at: string | null
          service_date: string
          service_order: string
          service_over: boolean
          source: string
          staff_marks: NonNullable<Json>
          status: string
          table_name: string | null
          total_amount: number | null
          updated_at: string
          visited: boolean | null
          walk_in: boolean
          zone_name: string | null
        }[]
        SetofOptions: {
          from: '*'
          to: 'reservations'
          isOneToOne: false
          isSetofReturn: true
        }
      }
      /**
       * Of the given reservations that are ahead (at most 500, in the caller's locations): the guest's earlier bookings and no-shows (of the caller's locations), lead time, party size, answer; and of their locations what private.no_show_rates_of knows. Walk-ins and imports do not count.
       * supabase/logic/reservations/no_show.sql
       */
      no_show_features: { Args: { p_now?: string; p_reservations: string[] }; Returns: Json }
      /**
       * Keeps the outcome of a test of the settings that were saved at p_seen; nothing when others were saved meanwhile.
       * supabase/logic/organization/group_setup.sql
       */
      note_integration_test: {
        Args: { p_by: string; p_kind: string; p_organization: string; p_reason: string; p_seen: string }
        Returns: undefined
      }
      /**
       * Stores the origin of a session. Returns whether its owner gets a mail: for a device and network not used for 90 days, not the account's first sign-in, no such mail within the hour.
       * supabase/logic/access/account.sql
       */
      note_sign_in: {
        Args: {
          p_browser: string
          p_network: string
          p_now?: string
          p_place: string
          p_session: string
          p_system: string
        }
        Returns: boolean
      }
      /**
       * Stamps a call with a right signature (p_organization signed it), or a refused one (null: for all that have the provider). A stamp younger than a minute stays, without a write.
       * supabase/logic/integrations/webhook_calls.sql
       */
      note_webhook: {
        Args: { p_organization?: string; p_provider: Database['public']['Enums']['integration_type'] }
        Returns: undefined
      }
      /**
       * How many of the messages were sent, and how many failed for good.
       * supabase/logic/notices/notices.sql
       */
      notices_report: { Args: { p_ids: string[] }; Returns: Json }
      /**
       * Ends old offers. Then offers each table that a cancellation or a no-show of the current services has freed to the first waiting party that fits, by the connected channels; no party is offered the same table twice. Returns the channels of the messages it queued. Call it again until there are none.
       * supabase/logic/service/table_offers.sql
       */
      offer_freed_tables: {
        Args: { p_channels: string[]; p_now?: string; p_organization: string }
        Returns: string[]
      }
      /**
       * Adds the locations (brand_id, name, city, address, timezone, pms_id, average_spend_per_guest) whose name is not there yet, with their first rules; one that is there without a pms_id gets it. Returns the names of the new ones.
       * supabase/logic/loyalty/rules.sql
       */
      open_locations: { Args: { p_organization: string; p_rows: Json }; Returns: string[] }
      /**
       * What to know of a party of the caller's locations: its note, its guest with visits, habits, tier, birthday and facts as on the card, and complaints (see private.complaints_of_party). Without canUseGuestCards only what the list shows, and withheld says that there is a guest. Null without the right.
       * supabase/logic/service/party_lines.sql
       */
      party_lines: { Args: { p_now?: string; p_reservation: string }; Returns: Json }
      /**
       * Whether a password link made at p_made still works. It does not when a colleague who has handed one over since then may no longer make one for this person: the role or the locations of either changed, or one was removed.
       * supabase/logic/access/team.sql
       */
      password_link_holds: { Args: { p_made: string; p_user: string }; Returns: boolean }
      /**
       * The limits of approval that wait to be raised, by their column: {value, by, at, due_at (null: it waits for another person), mine, can_approve}. Empty for people without the settings of the whole group.
       * supabase/logic/campaigns/pending_limits.sql
       */
      pending_limits: { Args: Record<PropertyKey, never>; Returns: Json }
      /**
       * Plans what is due of a campaign, at most p_limit messages a step: {status, more (call again), decide (the test is over: choose a winner)}. p_closed: see plan_query. It pauses without a segment or provider, when the segment was changed, and before it would write to more guests than were approved.
       * supabase/logic/campaigns/planning.sql
       */
      plan_campaign: {
        Args: {
          p_campaign: string
          p_closed?: Json
          p_limit?: number
          p_now?: string
          p_organization: string
        }
        Returns: Json
      }
      /**
       * Stores a token by its hash; it is not usable before its account is created. saved with the id, forbidden, unknown_location, malformed or too_many (50).
       * supabase/logic/access/api_tokens.sql
       */
      prepare_api_token: {
        Args: {
          p_account_hash: string
          p_days: number
          p_locations: string[]
          p_name: string
          p_permissions: string[]
          p_token_hash: string
        }
        Returns: Json
      }
      /**
       * Notes the first group and its super_admin until Auth makes the account: prepared, closed or unknown_timezone.
       * supabase/logic/access/invitations.sql
       */
      prepare_setup: {
        Args: {
          p_email: string
          p_full_name: string
          p_name: string
          p_slug: string
          p_timezone: string
          p_token_hash: string
        }
        Returns: string
      }
      /**
       * The effect of a manual run at p_now, without running it: counts, the template, and facts about one customer. Null when there is no such automation. p_locations: see preview_of.
       * supabase/logic/automations/previews.sql
       */
      preview_automation: {
        Args: {
          p_automation: string
          p_closed?: Json
          p_locations?: string[]
          p_now?: string
          p_organization: string
        }
        Returns: Json
      }
      /**
       * What a campaign, saved or not, would do at p_now: counts {matched, to_send, held, skipped, variants, starts_at, asks_again, approve_above, email_look, held_until, check (see guests_to_check)}, and for p_customer (else the first guest) channel, time, group, facts, or the reason why they get nothing.
       * supabase/logic/campaigns/preview.sql
       */
      preview_campaign: {
        Args: {
          p_closed?: Json
          p_customer?: string
          p_fields: Json
          p_id?: string
          p_locations?: string[]
          p_now?: string
          p_organization: string
        }
        Returns: Json
      }
      /**
       * preview_automation for an unsaved automation, or for unsaved changes of p_automation. Null when there is no such automation.
       * supabase/logic/automations/previews.sql
       */
      preview_draft: {
        Args: {
          p_automation?: string
          p_closed?: Json
          p_draft: Json
          p_locations?: string[]
          p_now?: string
          p_organization: string
        }
        Returns: Json
      }
      /**
       * How many of the next customers by id (of p_locations, or of all) would rise to which tier, by location, if the rules were changed so. Writes nothing.
       * supabase/logic/loyalty/standing.sql
       */
      preview_loyalty_tiers: {
        Args: {
          p_after: string
          p_changes: Json
          p_limit: number
          p_locations?: string[]
          p_organization: string
        }
        Returns: Json
      }
      /**
       * How many customers of the caller a definition matches, and the first of them; with the id of a segment also whom the definition would add to it and drop. forbidden and not_found likewise as outcome.
       * supabase/logic/segments/members.sql
       */
      preview_segment: {
        Args: { p_definition: Json; p_id?: string; p_limit?: number; p_now?: string }
        Returns: Json
      }
      /**
       * Queues an e-mail to the customer of each event within 24 hours of p_now, once. Returns due, queued and failed; due = p_limit: there may be more.
       * supabase/logic/notices/notices.sql
       */
      queue_event_notifications: {
        Args: { p_limit: number; p_now: string; p_organization: string }
        Returns: Json
      }
      /**
       * Queues an e-mail to the assignee of each event that begins in reminder_minutes or less, once. Returns due, queued and failed (no address).
       * supabase/logic/notices/notices.sql
       */
      queue_event_reminders: {
        Args: { p_limit: number; p_now: string; p_organization: string }
        Returns: Json
      }
      /**
       * Queues the due morning reports, each about the person's locations, once a day. Returns due, queued, failed and ids; due = p_limit: there may be more.
       * supabase/logic/service/morning_mail.sql
       */
      queue_morning_mails: { Args: { p_limit: number; p_now: string; p_organization: string }; Returns: Json }
      /**
       * Runs one of the four queue_event_… and queue_ticket_… functions and adds the ids of the messages it queued.
       * supabase/logic/notices/notices.sql
       */
      queue_notices: {
        Args: { p_limit: number; p_now: string; p_organization: string; p_queue: string }
        Returns: Json
      }
      /**
       * Writes a test notice for one of the caller's devices, and returns its id; null when there is no such device.
       * supabase/logic/notices/push.sql
       */
      queue_test_push: { Args: { p_id: string }; Returns: string }
      /**
       * Queues an e-mail to the assignee, else to the admins, for each ticket that is new or changed since last notified. Returns due, queued and failed (no address, or no recipient).
       * supabase/logic/notices/notices.sql
       */
      queue_ticket_notifications: {
        Args: { p_limit: number; p_now: string; p_organization: string }
        Returns: Json
      }
      /**
       * Queues an e-mail for each ticket in work whose deadline is a quarter of its length away or over, once a deadline. Returns due, queued and failed.
       * supabase/logic/notices/notices.sql
       */
      queue_ticket_reminders: {
        Args: { p_limit: number; p_now: string; p_organization: string }
        Returns: Json
      }
      /**
       * Raises the tiers of the next customers by id, of p_locations or of all; last_id is where the following batch begins.
       * supabase/logic/loyalty/standing.sql
       */
      raise_loyalty_tiers: {
        Args: { p_after: string; p_limit: number; p_locations?: string[]; p_organization: string }
        Returns: Json
      }
      /**
       * The thresholds of the caller's group, when and from how many it learned, how many wait, and what each level weighs in bits.
       * supabase/logic/identity/settings.sql
       */
      read_identity: { Args: Record<PropertyKey, never>; Returns: Json }
      /**
       * Records what a person found out about a message with an unknown outcome: sent or failed. reconciled, not_unknown, not_found or invalid.
       * supabase/logic/automations/pages.sql
       */
      reconcile_message: { Args: { p_id: string; p_status: string }; Returns: string }
      /**
       * Notes that the guest of a message, found by its provider_id, else by our id, reported it as unwanted.
       * supabase/logic/messages/departures.sql
       */
      record_complaint: {
        Args: {
          p_at?: string
          p_message: string
          p_organization: string
          p_provider: string
          p_provider_id: string
        }
        Returns: undefined
      }
      /**
       * Records a provider's report about a message (sent, delivered, failed), found by its provider_id, else by our id. Statuses only move forward: sent → delivered or failed; queued after an attempt, sending and unknown → any. Returns recorded, unchanged, unknown or ignored.
       * supabase/logic/messages/delivery.sql
       */
      record_delivery: {
        Args: {
          p_at?: string
          p_message: string
          p_organization: string
          p_provider: string
          p_provider_id: string
          p_reason?: string
          p_status: string
        }
        Returns: string
      }
      /**
       * Records a message to us, from a number, a WhatsApp id or both: opens the 24-hour window and applies its wish (stop, start, null) to all numbers and ids of the person, by SMS and WhatsApp alike. p_answers is the provider's id of the message it answers. Returns taken, or repeated for a known receipt.
       * supabase/logic/messages/delivery.sql
       */
      record_inbound: {
        Args: {
          p_answers?: string
          p_at?: string
          p_channel: string
          p_organization: string
          p_phone?: string
          p_receipt?: string
          p_whatsapp_id?: string
          p_wish?: string
        }
        Returns: string
      }
      /**
       * Records a request for some of a location's days ahead: done (the last part), more (parts are left) or failed.
       * supabase/logic/reservations/sync.sql
       */
      record_look_ahead: {
        Args: { p_at: string; p_from: string; p_location: string; p_outcome: string; p_to: string }
        Returns: undefined
      }
      /**
       * Records that the PMS delivered a location's days from p_from to p_to, or with p_failure why it did not.
       * supabase/logic/reservations/sync.sql
       */
      record_sync: {
        Args: { p_at: string; p_failure?: string; p_from: string; p_location: string; p_to: string }
        Returns: undefined
      }
      /**
       * After count_unmarked_visits has changed: decides the visits of the location's next p_days service days again; true when there may be more.
       * supabase/logic/reservations/visits.sql
       */
      recount_unmarked: { Args: { p_days: number; p_location: string }; Returns: boolean }
      /**
       * Recomputes the next customers who have been at a location whose average spend or time zone changed; true when there are more.
       * supabase/logic/reservations/visits.sql
       */
      refresh_location: { Args: { p_limit: number; p_location: string }; Returns: boolean }
      /**
       * Makes a code usable again after Auth refused it or did not answer.
       * supabase/logic/access/second_factor.sql
       */
      release_code: { Args: { p_hash: string; p_user: string }; Returns: undefined }
      /**
       * Gives the lease back; another holder's lease is left alone.
       * supabase/logic/jobs/runs.sql
       */
      release_lease: { Args: { p_holder: string; p_name: string }; Returns: undefined }
      /**
       * Opens again what a closing closed: deleted or not_found.
       * supabase/logic/service/closings.sql
       */
      remove_closing: { Args: { p_closing: string; p_location: string }; Returns: string }
      /**
       * Deletes a person's profile, and with it every right: removed, forbidden, not_found or own.
       * supabase/logic/access/team.sql
       */
      remove_member: { Args: { p_member: string }; Returns: string }
      /**
       * Deletes one of the caller's devices; false when there is none.
       * supabase/logic/notices/push.sql
       */
      remove_push_device: { Args: { p_id: string }; Returns: boolean }
      /**
       * Gives an open invitation a new token and seven more days; the old token stops working: renewed, forbidden or not_found.
       * supabase/logic/access/invitations.sql
       */
      renew_invitation: { Args: { p_invitation: string; p_token_hash: string }; Returns: string }
      /**
       * The place of this database in its log, in bytes: what a standby has replayed, what a primary has flushed. replayed_ms: how long ago the last transaction that a standby replayed was committed; on an idle primary this grows while nothing is missing, so compare the positions first.
       * supabase/logic/jobs/replication.sql
       */
      replication_state: { Args: Record<PropertyKey, never>; Returns: Json }
      /**
       * Writes back by the channel of the conversation: {outcome: queued (id of the text, channel, at: since when it may be sent), not_found, or the obstacle (private.conversation_obstacle)}. It is not sent later than 24 hours after, or by WhatsApp than the person's window.
       * supabase/logic/conversations/replies.sql
       */
      reply_to_conversation: {
        Args: { p_channels: string[]; p_id: string; p_now?: string; p_text: string }
        Returns: Json
      }
      /**
       * Writes back to the guest who answered a survey, once, by the first of p_channels that reaches them: {outcome: queued (channel, message_id, at: since when it may be sent), replied (before), unreachable or not_found}.
       * supabase/logic/feedback/feedback.sql
       */
      reply_to_feedback: {
        Args: { p_channels: string[]; p_feedback: string; p_now?: string; p_reply: string; p_subject: string }
        Returns: Json
      }
      /**
       * New guests by month of their first visit in the locations, and how many of them had come on a later day within 30, 60, … 360 days: null while a month's last day is not that long ago. By p_split: location or channel of the first visit (pms, manual, walk_in), or source (the 12 largest and the rest). Null: an unknown location.
       * supabase/logic/statistics/reports.sql
       */
      report_cohorts: {
        Args: { p_location?: string; p_months?: number; p_now?: string; p_split?: string }
        Returns: Json
      }
      /**
       * The covers of the visits to services that are over, by location, weekday (ISO) of the service day and local hour; the days with visits of each weekday (location_id null: to any location); visits and covers by channel (pms, manual, walk_in). Of p_months calendar months. Null: an unknown location.
       * supabase/logic/statistics/reports.sql
       */
      report_hours: { Args: { p_location?: string; p_months?: number; p_now?: string }; Returns: Json }
      /**
       * The visits and revenue (EUR) of a period by the tier that the guests have today, the highest first; then guests without a tier, then visits without a customer record (known: false). Null: an unknown location.
       * supabase/logic/statistics/reports.sql
       */
      report_tiers: { Args: { p_location?: string; p_months?: number; p_now?: string }; Returns: Json }
      /**
       * The figures by week (from Monday) and location of the 13 weeks before this one, this one and the next, and of the same weeks 52 before and the one before these: what services that are over served, and what is booked from today on. Null: an unknown location.
       * supabase/logic/statistics/reports.sql
       */
      report_weeks: { Args: { p_location?: string; p_now?: string }; Returns: Json }
      /**
       * The last 100 changes of a reservation in the caller's locations, the latest first; overruled: the PMS replaced a staff mark; answered: the guest's answer with its channel. status has from, to and the PMS's own value.
       * supabase/logic/reservations/changes.sql
       */
      reservation_activity: {
        Args: { p_reservation: string }
        Returns: {
          action: string
          actor: string
          answer: Json
          at: string
          fields: Json
          id: string
          status: Json
        }[]
      }
      /**
       * Takes calls and tokens from the day's allowance of the person and the organization: {day, wait}. wait 0: taken; else not taken, and the seconds until the organization's day ends.
       * supabase/logic/assistant/assistant.sql
       */
      reserve_ai: {
        Args: { p_calls: number; p_now?: string; p_organization: string; p_person: string; p_tokens: number }
        Returns: Json
      }
      /**
       * What an automation's messages (created from p_from until p_to) brought: counts by outcome, and reservations made within 30 days after a customer's last marketing message, for a service after it, with covers and EUR of those that became visits. links: in how many e-mails a person clicked each, the 20 most clicked.
       * supabase/logic/automations/pages.sql
       */
      results_of_automation: {
        Args: {
          p_automation: string
          p_from: string
          p_locations?: string[]
          p_organization: string
          p_to: string
        }
        Returns: Json
      }
      /**
       * Lets a paused run go on: resumed, not_paused or not_found.
       * supabase/logic/automations/enqueue.sql
       */
      resume_run: {
        Args: { p_automation: string; p_now?: string; p_organization: string; p_run: string }
        Returns: string
      }
      /**
       * Service days p_from to p_to, both included, by location of the caller: reservations and covers that were not lost, visits, and the visits' revenue in EUR, of which estimated is guests × average spend.
       * supabase/logic/assistant/assistant.sql
       */
      revenue_by_location: {
        Args: { p_from: string; p_to: string }
        Returns: {
          covers: number
          estimated: number
          location: string
          location_id: string
          reservations: number
          revenue: number
          visits: number
        }[]
      }
      /**
       * Ends a token and every session of its account at once: revoked (also when it was), forbidden or not_found.
       * supabase/logic/access/api_tokens.sql
       */
      revoke_api_token: { Args: { p_id: string }; Returns: string }
      /**
       * The input of a fit: {guests, parameters (those in use), histories: [[repeats, recency, age, guests], …]}. The histories are of p_most guests at most, and null when no fit is due.
       * supabase/logic/loyalty/rhythm.sql
       */
      rhythm_histories: { Args: { p_most?: number; p_now?: string; p_organization: string }; Returns: Json }
      /**
       * Replaces integrations' secrets ({id, before, after}) where they are still `before`, and keeps former keys ({id, sealed}). Returns the integrations it changed.
       * supabase/logic/integrations/settings.sql
       */
      rotate_secrets: { Args: { p_changes: Json; p_retired: Json }; Returns: string[] }
      /**
       * How many messages of each run were skipped, failed or have an unknown outcome, by reason: {run_id, status, reason, messages}.
       * supabase/logic/automations/pages.sql
       */
      run_outcomes: { Args: { p_organization: string; p_runs: string[] }; Returns: Json }
      /**
       * A run's counts, its status, why it is paused (else null), and its failures by channel and reason (at most 50): {processed, sent, skipped, failed, pending, status, paused_by, problems}.
       * supabase/logic/automations/pages.sql
       */
      run_report: { Args: { p_run: string }; Returns: Json }
      /**
       * The messages of a run that waits for approval: {channels: messages by channel, template, channel and facts of one message}.
       * supabase/logic/campaigns/approval.sql
       */
      run_to_approve: { Args: { p_organization: string; p_run: string }; Returns: Json }
      /**
       * Makes an automation (null), or changes the given fields of one as it was at p_updated_at; no row when it is not there, or was changed since.
       * supabase/logic/automations/pages.sql
       */
      save_automation: {
        Args: { p_fields: Json; p_id: string; p_organization: string; p_updated_at?: string }
        Returns: {
          after_days: number | null
          body: string
          campaign_id: string | null
          channel: string
          content_sid: string | null
          content_variables: NonNullable<Json>
          control_share: number | null
          created_at: string
          criteria: NonNullable<Json>
          deleted_at: string | null
          email_design: Json | null
          email_look: Json | null
          fallback_channel: string | null
          id: string
          location_ids: string[]
          name: string
          organization_id: string
          status: string
          step: number | null
          subject: string | null
          tags: string[]
          tier_ids: string[]
          type: string
          updated_at: string
          variant: string | null
          versions: NonNullable<Json>
        }[]
        SetofOptions: {
          from: '*'
          to: 'automations'
          isOneToOne: false
          isSetofReturn: true
        }
      }
      /**
       * Makes a brand of the organization (null), or changes the given fields of one; no row when it is not there.
       * supabase/logic/organization/settings.sql
       */
      save_brand: {
        Args: { p_fields: Json; p_id: string; p_organization: string }
        Returns: {
          created_at: string
          id: string
          name: string
          organization_id: string
          postal_address: string | null
          slug: string
        }[]
        SetofOptions: {
          from: '*'
          to: 'brands'
          isOneToOne: false
          isSetofReturn: true
        }
      }
      /**
       * Creates an event (p_id null) or changes the given fields of one and, by p_scope, of its series: one, following or all. A new rule (repeat) begins with the event; with following it replaces that of a series. Returns outcome (saved, not_found, edited_meanwhile with the current values, forbidden, unknown_location, unknown_customer, unknown_assignee, ends_before_start, ends_before_first_day, repeat_scope, repeat_ends_before_start, repeat_out_of_range) and the event.
       * supabase/logic/calendar/events.sql
       */
      save_calendar_event: { Args: { p_fields: Json; p_id: string; p_scope?: string }; Returns: Json }
      /**
       * Makes a campaign by p_person (p_id null), or changes the given fields of a draft as it was at p_version; `messages` given replace the former ones. saved ({id}), not_found, not_draft or changed.
       * supabase/logic/campaigns/drafts.sql
       */
      save_campaign: {
        Args: { p_fields: Json; p_id: string; p_organization: string; p_person?: string; p_version?: number }
        Returns: Json
      }
      /**
       * Creates a customer, or changes the fields given; emails and phones replace their further ones: outcome saved (with customer), not_found, edited_meanwhile (with the current values of the fields that differ from loaded), nameless, unknown_location, foreign_location (of the customer: the caller does not work in their usual one), duplicate_email, contact_taken (with the field of the further one, as emails.1, and the contact), too_many_contacts (with its field), malformed (with its field: a check of the table refuses it), forbidden, or for a consent (with its channel) no_address_for or address_refused.
       * supabase/logic/customers/changes.sql
       */
      save_customer: { Args: { p_fields: Json; p_id?: string }; Returns: Json }
      /**
       * Replaces the facts of a customer, [{code, kind, note}]: saved or not_found. Unchanged facts keep their author and time.
       * supabase/logic/customers/facts.sql
       */
      save_customer_facts: { Args: { p_customer: string; p_facts: Json }; Returns: string }
      /**
       * Changes the given fields of a brand's look, or of the group's (null); no row when there is no such brand.
       * supabase/logic/messages/email_designs.sql
       */
      save_email_look: {
        Args: { p_brand: string; p_fields: Json; p_organization: string }
        Returns: {
          brand_id: string | null
          button_color: string | null
          color: string | null
          footer: string | null
          from_email: string | null
          id: string
          logo: string | null
          organization_id: string
          reply_to: string | null
          sender_name: string | null
          updated_at: string
        }[]
        SetofOptions: {
          from: '*'
          to: 'email_looks'
          isOneToOne: false
          isSetofReturn: true
        }
      }
      /**
       * Saves the verdict on a message's events [{kind, link, actor, first_at, times}]. False when events came, or the time of delivery changed, since they were read: then judge again.
       * supabase/logic/messages/engagement.sql
       */
      save_engagement: {
        Args: { p_delivered: string; p_message: string; p_rows: Json; p_seen: string[] }
        Returns: boolean
      }
      /**
       * Saves or changes the answer to the survey of a message: saved, closed, expired, or not_found: the link leads nowhere.
       * supabase/logic/feedback/feedback.sql
       */
      save_feedback: {
        Args: {
          p_language: string
          p_message: string
          p_now?: string
          p_score: number
          p_ticket_words: Json
          p_words: string
        }
        Returns: string
      }
      /**
       * Changes the notes of a guest whose card the caller may use: saved or not_found.
       * supabase/logic/customers/facts.sql
       */
      save_guest_notes: { Args: { p_customer: string; p_notes: string }; Returns: string }
      /**
       * Saves what the guests of a link chose: {channels: the wanted ones, frequency: all, monthly or none (closes every channel), brands: the ids of the wanted ones, language}; what is absent stays. saved, or unknown_brand: nothing was changed. SMS and WhatsApp of a number are wanted together or not at all. Opening a channel again lifts only what a link had closed.
       * supabase/logic/messages/preferences.sql
       */
      save_guest_preferences: {
        Args: {
          p_addresses: string[]
          p_channel: string
          p_message?: string
          p_organization: string
          p_wishes: Json
        }
        Returns: string
      }
      /**
       * Replaces the shifts [{name, weekdays, opens, closes, capacity}] and closed days [{day, name}] of a location; with p_loaded (the days that the caller had read) a day closed or opened since stays so: saved, not_found, overlap or repeated (a name or a day twice).
       * supabase/logic/service/setup.sql
       */
      save_hours: {
        Args: { p_closed_days: Json; p_loaded?: string[]; p_location: string; p_shifts: Json }
        Returns: string
      }
      /**
       * Replaces config, merges secrets (null deletes). Another address clears the stored secrets and switches off what then lacks one. Returns the required names that are missing otherwise; then it saved nothing.
       * supabase/logic/integrations/settings.sql
       */
      save_integration: {
        Args: {
          p_address: string
          p_config: Json
          p_enabled: boolean
          p_organization: string
          p_required: string[]
          p_secrets: Json
          p_type: Database['public']['Enums']['integration_type']
        }
        Returns: string[]
      }
      /**
       * Changes the given fields of a location, or makes one with its first loyalty rules (null): saved with its id, forbidden, not_found, unknown_brand, name_taken or unknown_timezone.
       * supabase/logic/organization/settings.sql
       */
      save_location: { Args: { p_location: string; p_values: Json }; Returns: Json }
      /**
       * Changes rules of the caller's locations (location_id, tier_id, min_spend, min_visits; nulls take the rule away), all or none: saved, forbidden, unknown_location or unknown_tier.
       * supabase/logic/loyalty/rules.sql
       */
      save_loyalty_changes: { Args: { p_changes: Json }; Returns: string }
      /**
       * Stores the programme and brings the tiers in line: upserted by name, ranked in list order. Returns the record.
       * supabase/logic/loyalty/rules.sql
       */
      save_loyalty_config: { Args: { p_organization: string; p_tiers: Json }; Returns: Json }
      /**
       * Saves a location's rules (tier_id, min_spend, min_visits) all or none, and logs a change: saved, foreign_location (not one of the caller's), forbidden (limit_marketing_to_roles) or unknown_tier.
       * supabase/logic/loyalty/rules.sql
       */
      save_loyalty_rules: { Args: { p_location: string; p_rules: Json }; Returns: string }
      /**
       * Adjusts (signed) or redeems (positive) a customer's points, with a reason: outcome saved (with entry and balance), overdrawn, malformed, not_found or forbidden.
       * supabase/logic/loyalty/standing.sql
       */
      save_points: {
        Args: { p_customer: string; p_kind: string; p_points: number; p_reason: string }
        Returns: Json
      }
      /**
       * Sends notices of these kinds to the device of the caller's session from now on: saved, forbidden, or taken (the address is another person's, with other keys). A person has 20 devices at most.
       * supabase/logic/notices/push.sql
       */
      save_push_device: {
        Args: {
          p_auth: string
          p_browser?: string
          p_endpoint: string
          p_kinds: string[]
          p_language: string
          p_p256dh: string
          p_system?: string
        }
        Returns: string
      }
      /**
       * Creates a manual reservation, or changes the fields given (of a PMS reservation status, total_amount, table_name and notes, as staff marks). p_fields may also have tables (as tables_chosen), link (existing with customer_id, new, none), confirm, loaded, and by_tap: in the service staff mark also the party size and the time of a PMS reservation. Outcome saved (with reservation), contact_of_another (with candidates), asks (as reservation_questions), skipped_time (the clocks skip it), not_found, edited_meanwhile (with the current values of the fields that differ from loaded), managed, unknown_location, unknown_customer, malformed (with its field) or forbidden.
       * supabase/logic/reservations/changes.sql
       */
      save_reservation: { Args: { p_fields: Json; p_id?: string; p_now?: string }; Returns: Json }
      /**
       * Saves newly fitted parameters ({r, alpha, a, b}; {}: keeps the current ones) and the number of guests, and measures the group's fifths. apply_rhythm_model then updates the guests.
       * supabase/logic/loyalty/rhythm.sql
       */
      save_rhythm_model: {
        Args: { p_guests: number; p_now?: string; p_organization: string; p_parameters: Json }
        Returns: undefined
      }
      /**
       * Makes a segment, or changes one: saved ({segment}), too_many (200 that the caller reads), forbidden, not_found, edited_meanwhile ({current}) or in_use (one that automations, or campaigns of others, use stays shared).
       * supabase/logic/segments/saving.sql
       */
      save_segment: { Args: { p_fields: Json; p_id?: string }; Returns: Json }
      /**
       * Makes the language that a guest chose on the survey of a message theirs, whoever set another one before; nothing when the link leads nowhere.
       * supabase/logic/feedback/feedback.sql
       */
      save_survey_language: { Args: { p_language: string; p_message: string }; Returns: undefined }
      /**
       * Replaces the tables [{zone, name, capacity, is_active, plan_x, plan_y, shape, turned, joinable}] of a location; what is not given of a table stays as it was by that name: saved, not_found or repeated (a name twice).
       * supabase/logic/service/setup.sql
       */
      save_tables: { Args: { p_location: string; p_tables: Json }; Returns: string }
      /**
       * Creates a ticket (p_id null; the caller is its requester) or changes the given fields of one. Returns outcome (saved, not_found, edited_meanwhile with the current values, forbidden, unknown_location, unknown_customer, unknown_assignee) and the ticket.
       * supabase/logic/tickets/tickets.sql
       */
      save_ticket: { Args: { p_fields: Json; p_id: string }; Returns: Json }
      /**
       * For the nightly job: private.score_step.
       * supabase/logic/identity/steps.sql
       */
      score_customers: { Args: { p_limit?: number; p_organization: string }; Returns: Json }
      /**
       * A service day of a location, by default the current one: its closings, shifts, tables, waitlist, and parties by time with facts and notes of each, and the usual table of who is expected. Null without the right.
       * supabase/logic/service/board.sql
       */
      service_list: { Args: { p_day?: string; p_location: string; p_now?: string }; Returns: Json }
      /**
       * Reservations and covers of a date's service, else of the current one (it ends at 06:00 local), by location, status and hour 0–23. p_search (LIKE patterns of the name) is for those who may read reservations.
       * supabase/logic/statistics/statistics.sql
       */
      service_summary: {
        Args: { p_date?: string; p_location?: string; p_now?: string; p_search?: string[]; p_source?: string }
        Returns: {
          covers: number
          hour: number
          location_id: string
          reservations: number
          service_date: string
          status: string
        }[]
      }
      /**
       * A day's services of the caller's active locations, or of one: see service_list.
       * supabase/logic/service/board.sql
       */
      services: { Args: { p_day: string; p_location?: string; p_now?: string }; Returns: Json }
      /**
       * Sends the caller the morning report at that hour (null: never), and answers my_morning_mail.
       * supabase/logic/service/morning_mail.sql
       */
      set_morning_mail: { Args: { p_hour: number }; Returns: Json }
      /**
       * Replaces the reserved tokens of a call with its real use.
       * supabase/logic/assistant/assistant.sql
       */
      settle_ai: {
        Args: { p_day: string; p_organization: string; p_person: string; p_reserved: number; p_used: number }
        Returns: undefined
      }
      /**
       * Whether there is no organization yet: /setup works only then.
       * supabase/logic/access/invitations.sql
       */
      setup_is_open: { Args: Record<PropertyKey, never>; Returns: boolean }
      /**
       * The set-up list of the caller's group: each step with whether it is done, when and by whom; the last tests, skipped steps and the schedule's last run; null when the caller cannot do the steps, and on home where the group hid it.
       * supabase/logic/organization/settings.sql
       */
      setup_progress: { Args: { p_on_home?: boolean }; Returns: Json }
      /**
       * The covers and capacity of a date's shifts, else of the current service's; without shifts of unknown capacity and closed days.
       * supabase/logic/service/board.sql
       */
      shift_occupancy: {
        Args: { p_date?: string; p_location?: string; p_now?: string }
        Returns: {
          capacity: number
          covers: number
          location_id: string
          name: string
          shift_id: string
        }[]
      }
      /**
       * Puts an optional step of the caller's set-up list off, or opens it again: saved or forbidden.
       * supabase/logic/organization/group_setup.sql
       */
      skip_setup_step: { Args: { p_skipped: boolean; p_step: string }; Returns: string }
      /**
       * Figures of a period (default: the last 7 service days) and totals of the one before: ok, unknown_location or bad_period (over 366 days).
       * supabase/logic/statistics/statistics.sql
       */
      stats_overview: {
        Args: { p_from?: string; p_location?: string; p_now?: string; p_to?: string }
        Returns: Json
      }
      /**
       * Ends a run: no more of its messages are leased, and cancel_held cancels its queued messages. stopped, not_running or not_found.
       * supabase/logic/campaigns/approval.sql
       */
      stop_run: { Args: { p_run: string }; Returns: string }
      /**
       * Stops everything that automations send in the caller's organization, or lets it go on: stopped, resumed or forbidden.
       * supabase/logic/campaigns/approval.sql
       */
      stop_sending: { Args: { p_stop: boolean }; Returns: string }
      /**
       * The organization's name, the reason why the address is suppressed (null: it is not), the language of the guests with the address (null: none, or several) and the group's. Null when there is no such organization.
       * supabase/logic/messages/consent.sql
       */
      subscription_of: {
        Args: { p_address: string; p_channel: string; p_organization: string }
        Returns: Json
      }
      /**
       * Stops messages to the addresses by the channel, and after STOP by SMS and WhatsApp alike; a stronger reason replaces a weaker one. All but a bounce also count for the first address of a customer who has one of these as a further one. Returns how many changed.
       * supabase/logic/messages/consent.sql
       */
      suppress_addresses: {
        Args: { p_addresses: string[]; p_channel: string; p_organization: string; p_reason: string }
        Returns: number
      }
      /**
       * Takes back the messages that dead processes were sending: queued again when that cannot send them twice, else unknown. Returns {requeued, unknown}.
       * supabase/logic/messages/outcomes.sql
       */
      sweep_leases: { Args: { p_now?: string }; Returns: Json }
      /**
       * Saves one location's normalised PMS rows (external_id, email, phone, names, date, time, party size, status, …). Returns counts, and bad_emails: the ids of bookings that come with an e-mail that is none and did not before; held_elsewhere: the ids of rows that change nothing because another location holds them, each once a day to each p_reader.
       * supabase/logic/reservations/sync.sql
       */
      sync_reservations: {
        Args: { p_location: string; p_now?: string; p_reader?: string; p_rows: Json }
        Returns: Json
      }
      /**
       * Adds a tag to the customers that match the filters, or removes it: saved ({id, changed, full}: the change for an undo, the changed customers, and the customers with too many tags), too_many (above 5,000 match; nothing changed) or forbidden.
       * supabase/logic/customers/tags.sql
       */
      tag_customers: {
        Args: { p_added: boolean; p_filters: Json; p_now?: string; p_tag: string }
        Returns: Json
      }
      /**
       * Counts one attempt of each key: 0 when it is allowed, else the seconds to wait.
       * supabase/logic/access/sign_in.sql
       */
      take_attempts: {
        Args: { p_keys: string[]; p_limits: number[]; p_now?: string; p_seconds: number }
        Returns: number
      }
      /**
       * Keeps an open or click {receipt, kind, link, agent, at} of an e-mail to a customer, found by its provider_id, else by our id. Returns all events of the message to judge, {message_id, delivered_at, events}; null for an unknown or old message, or one without events. Without p_event it only reads.
       * supabase/logic/messages/engagement.sql
       */
      take_engagement: {
        Args: {
          p_event?: Json
          p_message: string
          p_now?: string
          p_organization: string
          p_provider_id: string
        }
        Returns: Json
      }
      /**
       * Handles a guest's reply to an offer of a freed table, or to our answer about that offer, when that was our last message to the guest. p_reply: as for take_reply. p_words: the texts for offers in lib/tickets/guest-ticket-words.json, by language. Returns {outcome, reservation_id (only when booked)}. Outcomes: accepted (booked, and the guest is told), declined, gone (a yes that came too late: the guest is told, and staff get a ticket), ticket (staff must read it: unclear, from another number, or the offer has ended), nothing (thanks, or a second yes), not_asked (our last message was no offer, or the reply quotes another message), repeated (the provider delivered this reply before; nothing changes).
       * supabase/logic/service/table_offers.sql
       */
      take_offer_reply: {
        Args: { p_at?: string; p_organization: string; p_reply: Json; p_words: Json }
        Returns: Json
      }
      /**
       * Cancels the location's bookings of the days from p_from to p_to that left the PMS, given the ids of a complete answer about them; none when p_ids is null or empty. Returns missing, their PMS ids; or not_applied, how many would be when these are too many (more than five and more than a fifth), the first time of a day for this reader.
       * supabase/logic/reservations/missing.sql
       */
      take_out_missing: {
        Args: {
          p_at: string
          p_from: string
          p_ids: string[]
          p_location: string
          p_minutes: number
          p_reader: string
          p_to: string
        }
        Returns: Json
      }
      /**
       * Counts one request of the key: 0 when it may go on, else the seconds until the window ends.
       * supabase/logic/jobs/runs.sql
       */
      take_rate_limit: { Args: { p_key: string; p_limit: number; p_seconds: number }; Returns: number }
      /**
       * Handles a guest's message {id: the provider's, channel, phone, whatsapp_id, answers: the provider's id of the message quoted, intent: confirm, cancel, courtesy or null, language, text}, once. p_words: those of lib/tickets/guest-ticket-words.json for replies, by language. Outcome: confirmed or cancelled (marked, and a reply queued), ticket (with the reason), nothing (thanks, or the same answer again), not_asked, repeated.
       * supabase/logic/messages/replies.sql
       */
      take_reply: {
        Args: { p_at?: string; p_organization: string; p_reply: Json; p_words: Json }
        Returns: Json
      }
      /**
       * Taps of the service of a location, at most 50, in order: one answer each {key, outcome, reservation_id}. Null without the right. See private.take_tap and private.take_waiting_tap.
       * supabase/logic/service/board.sql
       */
      take_taps: { Args: { p_location: string; p_now?: string; p_taps: Json }; Returns: Json }
      /**
       * Handles a message to us, once and as a whole: an understood answer as take_offer_reply and take_reply do, with their outcomes; any other (ticket, not_asked) opens or continues the conversation with its sender and, once a day, a ticket. p_text: as for take_reply, with full (the whole text), media (its kind), name (WhatsApp's) and wish (stop, start: outcome wish). What is understood is only noted in a conversation that is there. p_words: lib/tickets/guest-ticket-words.json.
       * supabase/logic/conversations/inbound.sql
       */
      take_text: {
        Args: { p_at?: string; p_organization: string; p_text: Json; p_words: Json }
        Returns: Json
      }
      /**
       * How many of the automations' messages among these were sent, skipped and failed (or have an unknown outcome): {automation_id, run_id, sent, skipped, failed}.
       * supabase/logic/messages/outcomes.sql
       */
      tally_messages: { Args: { p_ids: string[] }; Returns: Json }
      /**
       * A keyset page of a ticket's comments and changes, the oldest first; empty for a ticket that the caller may not see.
       * supabase/logic/tickets/changes.sql
       */
      ticket_activity: {
        Args: { p_after?: string; p_after_id?: string; p_limit?: number; p_ticket: string }
        Returns: {
          at: string
          author_name: string
          details: Json
          id: string
          kind: string
        }[]
      }
      /**
       * Deletes rows beyond the organization's retention periods, at most p_limit rows of each kind, and makes the next events of series: {empty_runs, automation_runs, job_runs, webhook_receipts, failed_rows, service_taps, waitlist, shift_notes, tag_changes, customer_merges, kept_answers, more}.
       * supabase/logic/jobs/housekeeping.sql
       */
      tidy_up: { Args: { p_limit?: number; p_now?: string; p_organization: string }; Returns: Json }
      /**
       * Undoes a merge: outcome undone (with kept, restored and not_restored: the fields of each that could not be put back, emails and phones for further ones), not_found, already_undone, too_old or merged_since (with later_id).
       * supabase/logic/customers/merge_undo.sql
       */
      undo_merge: { Args: { p_id: string }; Returns: Json }
      /**
       * Undoes a change that the caller made with tag_customers within the last hour, once; false when the caller made no such change.
       * supabase/logic/customers/tags.sql
       */
      undo_tag_change: { Args: { p_id: string }; Returns: boolean }
      /**
       * Lets messages go to the address again, when it was suppressed for one of the reasons, and to the first address of a customer who has it as a further one. Whether one was.
       * supabase/logic/messages/consent.sql
       */
      unsuppress_address: {
        Args: { p_address: string; p_channel: string; p_organization: string; p_reasons: string[] }
        Returns: boolean
      }
      /**
       * Counts a request with a token: known or refused (unknown, wrong, expired, revoked: which is not said), and the seconds to wait: from the 121st request of a token, and the 31st refusal of a network, in a minute.
       * supabase/logic/access/api_tokens.sql
       */
      use_api_token: {
        Args: { p_id: string; p_network: string; p_now?: string; p_token_hash: string }
        Returns: Json
      }
      /**
       * Whether free text may go to the number by WhatsApp: it wrote to us within 24 hours.
       * supabase/logic/messages/channels.sql
       */
      whatsapp_open: { Args: { p_address: string; p_now: string; p_organization: string }; Returns: boolean }
      /**
       * Deletes an open invitation: withdrawn, forbidden or not_found.
       * supabase/logic/access/invitations.sql
       */
      withdraw_invitation: { Args: { p_invitation: string }; Returns: string }
    }
    Enums: {
      automation_type:
        | 'birthday'
        | 'reengagement'
        | 'vip_reward'
        | 'post_visit'
        | 'no_show'
        | 'reservation_confirmation'
        | 'campaign'
      integration_type: 'pms' | 'ai' | 'twilio' | 'resend'
      message_reason:
        | 'no_address'
        | 'not_mobile'
        | 'suppressed'
        | 'no_consent'
        | 'no_provider'
        | 'no_app_url'
        | 'needs_template'
        | 'recently_written'
        | 'frequency_cap'
        | 'guest_frequency'
        | 'brand_muted'
        | 'duplicate'
        | 'control_group'
        | 'booked'
        | 'reservation_changed'
        | 'too_late'
        | 'customer_gone'
        | 'automation_inactive'
        | 'batch_incomplete'
        | 'empty_message'
        | 'message_changed'
        | 'refused'
        | 'expired'
        | 'stopped'
        | 'event_changed'
        | 'merged'
        | 'erased'
        | 'deleted'
        | 'reconciled'
        | 'invalid_number'
        | 'invalid_address'
        | 'unsubscribed'
        | 'unreachable'
        | 'region_not_enabled'
        | 'blocked'
        | 'template_rejected'
        | 'outside_window'
        | 'content_rejected'
        | 'rejected'
        | 'bounced'
        | 'soft_bounce'
        | 'provider_failed'
        | 'provider_suppressed'
        | 'provider_auth'
        | 'provider_config'
        | 'provider_quota'
        | 'provider_rate_limit'
        | 'provider_busy'
        | 'provider_unreachable'
        | 'provider_error'
        | 'provider_timeout'
        | 'provider_connection_lost'
        | 'provider_silent'
        | 'idempotency_conflict'
        | 'lease_expired'
        | 'held_back'
    }
    CompositeTypes: {
      [_ in never]: never
    }
  }
}

type DatabaseWithoutInternals = Omit<Database, '__InternalSupabase'>

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, 'public'>]

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    | keyof (DefaultSchema['Tables'] & DefaultSchema['Views'])
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Views'])
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Views'])[TableName] extends {
      Row: infer R
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema['Tables'] & DefaultSchema['Views'])
    ? (DefaultSchema['Tables'] & DefaultSchema['Views'])[DefaultSchemaTableNameOrOptions] extends {
        Row: infer R
      }
      ? R
      : never
    : never

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema['Tables']
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables']
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'][TableName] extends {
      Insert: infer I
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema['Tables']
    ? DefaultSchema['Tables'][DefaultSchemaTableNameOrOptions] extends {
        Insert: infer I
      }
      ? I
      : never
    : never

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema['Tables']
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables']
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'][TableName] extends {
      Update: infer U
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema['Tables']
    ? DefaultSchema['Tables'][DefaultSchemaTableNameOrOptions] extends {
        Update: infer U
      }
      ? U
      : never
    : never

export type Enums<
  DefaultSchemaEnumNameOrOptions extends
    | keyof DefaultSchema['Enums']
    | { schema: keyof DatabaseWithoutInternals },
  EnumName extends DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions['schema']]['Enums']
    : never = never,
> = DefaultSchemaEnumNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions['schema']]['Enums'][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema['Enums']
    ? DefaultSchema['Enums'][DefaultSchemaEnumNameOrOptions]
    : never

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    | keyof DefaultSchema['CompositeTypes']
    | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions['schema']]['CompositeTypes']
    : never = never,
> = PublicCompositeTypeNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions['schema']]['CompositeTypes'][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema['CompositeTypes']
    ? DefaultSchema['CompositeTypes'][PublicCompositeTypeNameOrOptions]
    : never

export const Constants = {
  public: {
    Enums: {
      automation_type: [
        'birthday',
        'reengagement',
        'vip_reward',
        'post_visit',
        'no_show',
        'reservation_confirmation',
        'campaign',
      ],
      integration_type: ['pms', 'ai', 'twilio', 'resend'],
      message_reason: [
        'no_address',
        'not_mobile',
        'suppressed',
        'no_consent',
        'no_provider',
        'no_app_url',
        'needs_template',
        'recently_written',
        'frequency_cap',
        'guest_frequency',
        'brand_muted',
        'duplicate',
        'control_group',
        'booked',
        'reservation_changed',
        'too_late',
        'customer_gone',
        'automation_inactive',
        'batch_incomplete',
        'empty_message',
        'message_changed',
        'refused',
        'expired',
        'stopped',
        'event_changed',
        'merged',
        'erased',
        'deleted',
        'reconciled',
        'invalid_number',
        'invalid_address',
        'unsubscribed',
        'unreachable',
        'region_not_enabled',
        'blocked',
        'template_rejected',
        'outside_window',
        'content_rejected',
        'rejected',
        'bounced',
        'soft_bounce',
        'provider_failed',
        'provider_suppressed',
        'provider_auth',
        'provider_config',
        'provider_quota',
        'provider_rate_limit',
        'provider_busy',
        'provider_unreachable',
        'provider_error',
        'provider_timeout',
        'provider_connection_lost',
        'provider_silent',
        'idempotency_conflict',
        'lease_expired',
        'held_back',
      ],
    },
  },
} as const
